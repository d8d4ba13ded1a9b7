import { expect, test } from 'vitest'
import { RunError } from '../../../src/contracts/errors.ts'
import { parseMcpConfig } from '../../../src/mcp/settings/parseMcpConfig.ts'

function parse(mcpServers: unknown) {
  const warnings: string[] = []
  const servers = parseMcpConfig(JSON.stringify({ mcpServers }), '.mcp.json', (message) => warnings.push(message))
  return { servers, warnings }
}

test('servers are read as written, with a synonym for http', () => {
  const stdio = { command: 'npx', args: ['-y', 'server'], env: { A: '${B}' } }
  const { servers, warnings } = parse({
    files: stdio,
    remote: { type: 'streamable-http', url: 'https://example.com/mcp', headers: { a: 'b' } },
    old: { type: 'sse', url: 'https://example.com/sse', required: false, tools: ['get_*'] },
  })
  expect(servers).toEqual({
    files: stdio,
    remote: { type: 'http', url: 'https://example.com/mcp', headers: { a: 'b' } },
    old: { type: 'sse', url: 'https://example.com/sse', required: false, tools: ['get_*'] },
  })
  expect(warnings).toEqual([])
})

test('times are in milliseconds, as in other clients', () => {
  const { servers } = parse({ a: { command: 'x', timeout: 600_000, startTimeout: 30_000 } })
  expect(servers).toEqual({ a: { command: 'x', timeout: 600, startTimeout: 30 } })
})

test('keys of other clients are warnings', () => {
  const { servers, warnings } = parse({ a: { command: 'x', disabled: true, alwaysAllow: ['y'] } })
  expect(servers).toEqual({ a: { command: 'x' } })
  expect(warnings).toEqual([
    '.mcp.json: mcpServers.a.disabled has no meaning here and is ignored',
    '.mcp.json: mcpServers.a.alwaysAllow has no meaning here and is ignored',
  ])
})

test.each<[string, string, RegExp]>([
  ['no JSON', '{', /\.mcp\.json is not JSON/],
  ['no servers', '{}', /\.mcp\.json: [\s\S]*mcpServers/],
  ['an entry that is no object', '{"mcpServers":{"a":7}}', /mcpServers\.a: /],
  ['a wrong type', '{"mcpServers":{"a":{"command":"x","args":"y"}}}', /mcpServers\.a: [\s\S]*args/],
  ['an unknown transport', '{"mcpServers":{"a":{"type":"ws","url":"x"}}}', /mcpServers\.a: [\s\S]*type/],
  ['a time of nothing', '{"mcpServers":{"a":{"command":"x","timeout":0}}}', /mcpServers\.a: [\s\S]*timeout/],
  ['a time in seconds', '{"mcpServers":{"a":{"command":"x","timeout":30}}}', /milliseconds in this file/],
])('%s is refused by name', (_, text, expected) => {
  const attempt = () => parseMcpConfig(text, '.mcp.json', () => undefined)
  expect(attempt).toThrow(RunError)
  expect(attempt).toThrow(expected)
})
