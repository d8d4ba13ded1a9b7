import { expect, test } from 'vitest'
import { withDefaultTimes } from '../../../src/mcp/transport/withDefaultTimes.ts'

const environment = { MCP_TIMEOUT: '30000', MCP_TOOL_TIMEOUT: '1200000' }

test.each([
  [{ command: 'x' }, environment, { command: 'x', startTimeout: 30, timeout: 1200 }],
  [{ command: 'x', timeout: 5 }, environment, { command: 'x', startTimeout: 30, timeout: 5 }],
  [{ command: 'x' }, { MCP_TIMEOUT: '' }, { command: 'x' }],
  [{ command: 'x' }, {}, { command: 'x' }],
])('%j in %j is %j', (settings, env, expected) => {
  expect(withDefaultTimes(settings, env)).toEqual(expected)
})

test.each(['0', '-1', '5s', '1.5', 'NaN'])('%s is refused by its name', (value) => {
  expect(() => withDefaultTimes({ command: 'x' }, { MCP_TOOL_TIMEOUT: value })).toThrow(/^MCP_TOOL_TIMEOUT: /)
})
