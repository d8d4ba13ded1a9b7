import { describe, expect, it } from 'vitest'
import { call, serveTurns } from '../../helpers/model/serveTurns.ts'
import { runCli } from '../../helpers/runs/cliRun.ts'

const READ_ONLY = 'version: 1\npermissions: { presets: [read-only] }\n'

describe('the requests of a run', () => {
  it('sends the same bytes before the new messages in every turn', async () => {
    const server = await serveTurns(call('LS', { path: '.' }), call('Glob', { pattern: '*' }), { say: 'done' })
    await runCli(['look'], { server, policy: READ_ONLY, files: { 'a.txt': 'a' } })
    const bodies = server.requests.map((request) => request.body)
    for (const body of bodies)
      expect(JSON.stringify([body.system, body.tools])).toBe(JSON.stringify([bodies[0].system, bodies[0].tools]))
    const bare = (messages: unknown) =>
      JSON.stringify(messages, (key, value) => (key === 'cache_control' ? undefined : value))
    expect(bare(bodies[2].messages.slice(0, 3))).toBe(bare(bodies[1].messages))
    expect(Buffer.byteLength(JSON.stringify([bodies[0].system, bodies[0].tools]))).toBeLessThan(12_000)
  })
})
