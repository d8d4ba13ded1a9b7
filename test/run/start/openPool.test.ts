import { expect, it } from 'vitest'
import * as z from 'zod'
import { openPool } from '../../../src/run/start/openPool.ts'
import { buildTool, isDeferred, lazySchema, type Tool } from '../../../src/Tool.ts'
import { policyOf } from '../../helpers/policy/policyCalls.ts'

const tool = (name: string): Tool => ({
  ...buildTool({
    ...{ name, inputSchema: lazySchema(() => z.strictObject({})), description: () => 'long'.repeat(200) },
    // biome-ignore lint/correctness/useYield: it is never called
    async *call() {
      throw new Error('not called')
    },
    mapResult: () => ({ content: '' }),
  }),
  mcpInfo: { server: 'late', tool: name.replace('mcp__late__', '') },
})

it('of servers that come up late, the run gets the tools that it does not have, to be loaded on demand', async () => {
  const policy = await policyOf({ allow: ['Bash'], deny: ['mcp__late__no'] })
  const { pool, late } = openPool({
    request: {
      policy,
      config: { tools: ['Bash', 'ToolSearch', 'mcp__late'] },
      tools: [tool('mcp__late__own')],
    } as never,
    children: { environment: {}, sandbox: { state: 'off' } } as never,
    ...{ servers: { tools: [], down: () => [{ prefix: 'mcp__late__' }] } as never, skills: [] },
  })
  expect(pool.map(({ name }) => name)).toEqual(['Bash', 'Finish', 'mcp__late__own'])
  const many = Array.from({ length: 40 }, (_, at) => tool(`mcp__late__t${at + 10}`))
  const came = late.filter([...many, tool('mcp__late__no'), tool('mcp__late__own'), tool('Bash')])
  expect(came.pool.map(({ name }) => name)).toEqual(many.map(({ name }) => name))
  expect(came.pool.every(isDeferred)).toBe(true)
  expect(came.deniedTools.map(({ name }) => name)).toEqual(['mcp__late__no'])
})
