import { expect, it } from 'vitest'
import { playRun } from '../../helpers/runs/playRun.ts'

it('the requests of a run have the same bytes before the new messages in every turn', async () => {
  const calls = [
    { name: 'LS', input: { path: '.' } },
    { name: 'Glob', input: { pattern: '*' } },
  ]
  const run = await playRun(calls, { policy: { permissions: { presets: ['read-only'] } }, files: { 'a.txt': 'a' } })
  const bodies = run.api.requests.map((request) => request.body)
  const head = ({ system, tools }: { system: unknown; tools: unknown }) => JSON.stringify([system, tools])
  for (const body of bodies) expect(head(body)).toBe(head(bodies[0]))
  const bare = (messages: unknown) =>
    JSON.stringify(messages, (key, value) => (key === 'cache_control' ? undefined : value))
  expect(bare(bodies[2].messages.slice(0, 3))).toBe(bare(bodies[1].messages))
  expect(Buffer.byteLength(head(bodies[0]))).toBeLessThan(12_000)
})
