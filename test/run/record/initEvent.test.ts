import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import type { InitEvent } from '../../../src/contracts/events.ts'
import { VERSION } from '../../../src/lib/version.ts'
import type { Loop } from '../../../src/query/Loop.ts'
import { hashFrame, initEvent } from '../../../src/run/record/initEvent.ts'
import { recordLab } from '../../helpers/runs/recordLab.ts'

const named = (...names: string[]) => names.map((name) => ({ name, more: 1 }))
const tool = (name: string, isFree = false) => ({ name, isFree, aliases: [], more: 1 })

it('is all that readers of the first record look for', () => {
  const { session } = recordLab({
    ...{ pool: [tool('Finish', true), tool('Read'), tool('WebFetch')], commands: ['/fix'] },
    ...{ agents: named('reviewer'), skills: named('pdf') },
  })
  expect(initEvent(session, undefined)).toStrictEqual({
    ...{ type: 'system', subtype: 'init', cwd: session.config.cwd, prompt: 'do it' },
    // No rule allows a call of WebFetch, so it is not offered.
    tools: ['Finish', 'Read'],
    ...{ agents: ['reviewer'], skills: ['pdf'], slash_commands: ['/fix'], plugins: [], output_style: 'default' },
    mcp_servers: [{ name: 'a', status: 'connected' }],
    ...{ model: 'm', api_host: null, apiKeySource: 'none' },
    ...{ permissionMode: 'default', shouldAvoidPermissionPrompts: true, policy: { files: [], sha256: 'p' } },
    ...{ version: VERSION, node: process.version, platform: process.platform },
    ...{ sandbox: { mode: 'auto', state: 'enforced', detail: 'd' }, effects: { state: 'watched', detail: 'v' } },
    ...{ network: { mode: 'none', state: 'off' }, env_dropped: ['A_TOKEN'], base: null },
    limits: {
      ...{
        max_turns: 5,
        max_budget_usd: null,
        max_tokens_total: 2_000_000,
        max_tool_calls: 2,
        max_denials: 3,
        timeout_ms: 4,
      },
    },
    process: expect.objectContaining({ pid: process.pid }),
  })
})

const origin = { event: { name: 'push', trust: 'trusted', actor: 'octo' }, config_commit: null }
const sent = { system_sha256: '1', tools_sha256: '2' }
const from = { run: 'r0', seq: 7, transcript: '/t.jsonl', exit_reason: null }

it.each<[string, Parameters<typeof recordLab>[0], Partial<InitEvent>]>([
  ['no servers', { servers: undefined }, { mcp_servers: [] }],
  ['a key of the user', { config: { model: 'm', fallbackModels: [], limits: {} } }, { apiKeySource: 'user' }],
  ['the commit that changes are compared with', { checkout: { commit: 'f00' } }, { base: { commit: 'f00' } }],
  ['what triggered the run', { origin }, { origin }],
  ['the run that it resumes, and where', { resumed: { event: { from } } }, { resumed_from: { run: 'r0', seq: 7 } }],
])('says %s', (_, changes, expected) => {
  expect(initEvent(recordLab(changes).session, undefined)).toMatchObject(expected)
})

it('says by hashes what each request contains, where they are known', () => {
  const { session } = recordLab()
  expect(initEvent(session, sent).sent).toEqual(sent)
})

it('has hashes of the bytes that each request has; nothing where they cannot be made', async () => {
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
  const loop = (frame: () => Promise<unknown>) => ({ frame }) as unknown as Loop
  expect(await hashFrame(loop(async () => ({ model: 'm', system: 'be kind', tools: [{ name: 'a' }] })))).toEqual({
    ...{ system_sha256: sha256('be kind'), tools_sha256: sha256('[{"name":"a"}]') },
  })
  expect(await hashFrame(loop(() => Promise.reject(new Error('no'))))).toBeUndefined()
})
