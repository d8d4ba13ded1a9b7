import { mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import { tryCommandLine } from '../../helpers/commandLine.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'
import { recordCalls } from '../../helpers/policy/recordCalls.ts'
import { sampled } from '../../helpers/sampled.ts'

const POLICY = {
  version: 1,
  sandbox: { network: 'none' },
  permissions: {
    presets: ['read-only'],
    allow: ['Bash(npm test)', 'Bash(npm run format)', 'Bash(npm run lock)', 'Edit(src/**)'],
    deny: ['Bash(git push *)'],
  },
}

type Edit = (policy: { permissions: Record<string, string[]>; [key: string]: unknown }) => void

function policyFile(cwd: string, name: string, edit: Edit = () => undefined): string {
  const policy = structuredClone(POLICY) as unknown as Parameters<Edit>[0]
  edit(policy)
  const file = join(cwd, name)
  writeFileSync(file, stringify(policy))
  return file
}

const without =
  (rule: string): Edit =>
  ({ permissions }) => {
    for (const list of ['allow', 'deny']) permissions[list] = (permissions[list] ?? []).filter((each) => each !== rule)
  }
const allowing =
  (...rules: readonly string[]): Edit =>
  ({ permissions }) =>
    void permissions['allow']?.push(...rules)
const denying =
  (...rules: readonly string[]): Edit =>
  ({ permissions }) =>
    void permissions['deny']?.push(...rules)

it('takes `last` for the newest run of the project', { tags: 'long' }, async () => {
  const cwd = makeFolder()
  const state = join(cwd, 'state/kode-run')
  mkdirSync(state, { recursive: true })
  const id = '11111111-aaaa-4aaa-8aaa-111111111111'
  const calls = ['npm test', 'git diff --stat', 'npm run format'].map((command) => JSON.stringify({ command }))
  const text = calls.map((input) => `allow Bash ${input}\n`).join('')
  writeFileSync(join(state, `${id}.jsonl`), recordCalls(text, cwd))
  const at = { environment: { XDG_STATE_HOME: join(cwd, 'state') } }
  const policy = policyFile(cwd, 'p.yml', denying('Bash(git diff *)'))
  for (const [command, words] of [
    [['policy', 'replay', 'last', '--policy', policy], 'git diff --stat'],
    [['policy', 'suggest', 'last'], 'Bash(npm test)'],
    [['report', 'last'], 'npm run format'],
    [['verify', id.slice(0, 8)], `${id}.jsonl: `],
  ] as const)
    expect((await tryCommandLine(cwd, [...command, '--cwd', cwd], at)).out).toContain(words)
  expect((await tryCommandLine(tmpdir(), ['report', 'last'], at)).code).toBe('usage')
})

describe('policy diff', () => {
  const set =
    (key: string, value: unknown): Edit =>
    (policy) =>
      void Object.assign(policy, { [key]: value })

  it.each(
    sampled<[string, Edit, string]>(
      [
        ['a wider command', allowing('Bash(npm run *)'), 'Bash(npm run any-name)'],
        ['every command', allowing('Bash'), 'Bash(npm publish)'],
        [
          'a deny less beside a wide allow',
          (policy) => [without('Bash(git push *)'), allowing('Bash(git *)')].map((edit) => edit(policy)),
          'Bash(git push --any-name)',
        ],
        ['another folder', allowing('Edit(docs/**)'), 'Write(docs/any-name/any-name.txt)'],
        ['a protected place', allowing('Edit(.github/workflows/ci.yml)'), 'Write(.github/workflows/ci.yml)'],
        ['a secret', allowing('Read(.env)'), 'Read(.env)'],
        ['a host', allowing('WebFetch(domain:*.example.com)'), 'WebFetch(https://any-name.example.com/)'],
        ['a server', allowing('mcp__github__*'), 'mcp__github__any-name'],
        ['an agent', allowing('Agent(reviewer)'), 'Agent(reviewer)'],
        ['the network', set('sandbox', { network: 'open' }), '`sandbox.network`'],
        ['the sandbox', set('sandbox', { network: 'none', mode: 'off' }), '`sandbox.mode`'],
        ['a variable', set('env', { pass: ['TOKEN'] }), '`env.pass`'],
        ['a value', set('env', { set: { PATH: '/x' } }), '`env.set.PATH`'],
        ['a plugin', set('plugins', [{ path: 'x' }]), '`plugins`'],
        ['a program that gets the key', set('run', { apiKeyHelper: '/bin/x' }), '`run.apiKeyHelper`'],
        ['another address for the key', set('run', { baseUrl: 'https://x.example' }), '`run.baseUrl`'],
        ['a mode', ({ permissions }) => void Object.assign(permissions, { defaultMode: 'acceptEdits' }), 'defaultMode'],
      ],
      1,
    ),
  )('calls a change wider, and its reverse narrower: %s', async (_, edit, words) => {
    const cwd = makeFolder()
    const [old, young] = [policyFile(cwd, 'old.yml'), policyFile(cwd, 'new.yml', edit)]
    const wider = await tryCommandLine(cwd, ['policy', 'diff', old, young, '--no-wider'])
    expect(wider).toMatchObject({ code: 1, out: expect.stringContaining('The new policy allows more') })
    expect(wider.out).toContain(words)
    const back = await tryCommandLine(cwd, ['policy', 'diff', young, old, '--no-wider'])
    expect(back).toMatchObject({ code: 0, out: expect.stringContaining('allows no more than the old one') })
  })

  const SAME: readonly (readonly [string, Edit])[] = [
    ['a rule that another one has in it', allowing('Edit(src/lib/**)', 'Bash(npm test)')],
    ['a deny more', denying('Bash(npm publish *)', 'Edit(src/gen/**)')],
    ['a check more', set('checks', { commands: ['npm test'] })],
    ['a limit', set('run', { maxTurns: 5 })],
    ['a duty', set('checks', { findings: 'warning' })],
  ]
  it.each(sampled(SAME, 1))('does not call a change wider: %s', async (_, edit) => {
    const cwd = makeFolder()
    const [old, young] = [policyFile(cwd, 'old.yml'), policyFile(cwd, 'new.yml', edit)]
    expect((await tryCommandLine(cwd, ['policy', 'diff', old, young, '--no-wider'])).code).toBe(0)
  })
})
