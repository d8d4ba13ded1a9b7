import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import type { RunEvent } from '../../../src/contracts/events.ts'
import { tryCommandLine } from '../../helpers/commandLine.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'
import { INIT, stamp } from '../../helpers/runs/events.ts'
import { sampled } from '../../helpers/sampled.ts'

function folder(): string {
  const cwd = makeFolder()
  return cwd
}

/** Calls of an old run, elsewhere: allowed ones, denied ones, and what commands changed. */
const OLD = '/builds/old'
const ALLOWED: readonly (readonly [string, object, object?])[] = [
  ['Bash', { command: 'npm test' }],
  ['Bash', { command: 'git diff --stat' }],
  ['Bash', { command: `cat ${OLD}/src/a.ts` }],
  ['Bash', { command: 'npm run format' }, { kept: ['src/a.ts', 'src/lib/b.ts'] }],
  ['Bash', { command: 'npm run lock' }, { undone: ['package-lock.json'] }],
  ['Write', { file_path: `${OLD}/src/a.ts`, content: 'x' }],
]
const DENIED: readonly (readonly [string, object])[] = [
  ['Bash', { command: 'git push origin main' }],
  ['Bash', { command: 'sudo make install' }],
  ['WebFetch', { url: 'https://docs.example/x' }],
  ['mcp__github__get_issue', { number: 1 }],
  ['Write', { file_path: '.github/workflows/ci.yml', content: 'x' }],
]
const DENIED_BY_RULE = [['Bash', { command: 'npm publish' }, 'Bash(npm publish *)']] as const

function record(cwd: string): string {
  const events: RunEvent[] = []
  const place = (path: string) => ({ path, kind: 'modified' as const })
  const refused = (path: string) => ({
    ...place(path),
    why: 'no Edit rule covers it',
    rule: null,
    source: null,
    line: null,
  })
  const add = (
    tool: string,
    input: object,
    isAllowed: boolean,
    changed: { kept?: string[]; undone?: string[] } = {},
    deniedBy?: string,
  ) => {
    const id = `t${events.length}`
    const common = { tool_use_id: id, tool_name: tool, parent_tool_use_id: null }
    events.push({
      type: 'system',
      subtype: 'permission_decision',
      ...common,
      decision: isAllowed ? 'allow' : 'deny',
      behavior: isAllowed ? 'allow' : 'ask',
      reason:
        deniedBy === undefined
          ? { type: 'headless', detail: 'x' }
          : { type: 'rule', rule: { text: deniedBy, list: 'deny', file: 'policy.yml', line: 9 } },
      policy_sha256: '',
    })
    const tool_input = input as Record<string, unknown>
    if (isAllowed)
      events.push({
        type: 'system',
        subtype: 'tool_intent',
        ...common,
        tool_input,
        is_read_only: false,
        activity: tool,
      })
    else
      events.push({
        type: 'system',
        subtype: 'permission_denied',
        ...common,
        tool_input,
        agent_id: null,
        decision_reason_type: 'headless',
        decision_reason: 'x',
        message: 'x',
        rule: null,
        source: null,
        line: null,
        suggestion: null,
      })
    const { kept = [], undone = [] } = changed
    if (kept.length + undone.length > 0)
      events.push({
        type: 'system',
        subtype: 'effects',
        ...common,
        state: 'enforced',
        kept: kept.map(place),
        scratch: {},
        left_out: [],
        undone: undone.map(refused),
      })
  }
  for (const [tool, input, changed] of ALLOWED) add(tool, input, true, changed as object)
  for (const [tool, input] of DENIED) add(tool, input, false)
  for (const [tool, input, rule] of DENIED_BY_RULE) add(tool, input, false, {}, rule)
  const file = join(cwd, 'old.jsonl')
  const lines = stamp([{ ...INIT, cwd: OLD }, ...events]).map((each) => `${JSON.stringify(each)}\n`)
  writeFileSync(file, lines.join(''))
  return file
}

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

describe('policy suggest', () => {
  it('suggests a policy for what was done or asked for, and names the calls without a suggestion', async () => {
    const cwd = folder()
    const { code, out } = await tryCommandLine(cwd, ['policy', 'suggest', record(cwd)])
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/^version: 1\npermissions:\n {2}presets: \[read-only\]\n {2}allow:/),
    ])
    const rules = [...out.matchAll(/^ {4}- (".*")$/gm)].map(([, rule]) => JSON.parse(rule ?? ''))
    expect(rules).toEqual([
      ...['Bash(npm test)', 'Bash(npm run format)', 'Bash(npm run lock)', 'Bash(git push origin main)'],
      ...['Edit(src/**)', 'Edit(./package-lock.json)', 'WebFetch(domain:docs.example)', 'mcp__github__get_issue'],
    ])
    expect(out).toContain('    # Bash(npm run lock) changes package-lock.json\n    - "Edit(./package-lock.json)"\n')
    expect(out).toContain(
      "# No rule suggested for Bash(npm publish): the run's policy denied it by Bash(npm publish *).\n",
    )
    expect(out).toMatch(/# No rule suggested for Bash\(sudo make install\): sudo changes how its command runs/)
    expect(out).toMatch(
      /# No rule suggested for Write\(\.github\/workflows\/ci\.yml\): \.github\/workflows is protected/,
    )
  })

  it('adds the missing rules to a policy, so that nothing is missing afterwards', async () => {
    const cwd = folder()
    const [transcript, file] = [record(cwd), policyFile(cwd, 'policy.yml')]
    const { out } = await tryCommandLine(cwd, ['policy', 'suggest', transcript, '--policy', file, '--apply'])
    expect(out).not.toContain('Bash(npm test)')
    expect(out).toMatch(
      /No rule suggested for Bash\(git push origin main\): the deny rule Bash\(git push \*\) matches it/,
    )
    expect(readFileSync(file, 'utf8')).toContain('    - "WebFetch(domain:docs.example)"\n')
    const again = await tryCommandLine(cwd, ['policy', 'suggest', transcript, '--policy', file])
    expect(again.out).toMatch(/^# Nothing is missing/)
    expect((await tryCommandLine(cwd, ['policy', 'suggest', transcript, '--apply'])).code).toBe('usage')
  })
})

describe('policy replay', () => {
  it.each<[string, Edit, readonly string[]]>(
    sampled<[string, Edit, readonly string[]]>(
      [
        ['nothing', () => undefined, []],
        ['a rule less', without('Bash(npm test)'), ['Bash(npm test) denied']],
        ['a deny more', denying('Bash(git diff *)'), ['Bash(git diff --stat) denied']],
        ['a deny less is no allow', without('Bash(git push *)'), []],
        [
          'a rule for what was denied',
          allowing('WebFetch(domain:docs.example)'),
          ['WebFetch(https://docs.example/x) allowed'],
        ],
        ['a server', allowing('mcp__github__get_*'), ['mcp__github__get_issue({"number":1}) allowed']],
        [
          'an exact protected place',
          allowing('Edit(.github/workflows/ci.yml)'),
          ['Write(.github/workflows/ci.yml) allowed'],
        ],
        [
          'a change that is covered now',
          allowing('Edit(./package-lock.json)'),
          ['Bash(npm run lock) package-lock.json allowed'],
        ],
        ['a change that is forbidden now', denying('Edit(src/lib/**)'), ['Bash(npm run format) src/lib/b.ts denied']],
        [
          'no editing',
          without('Edit(src/**)'),
          [
            'Bash(npm run format) src/a.ts denied',
            'Bash(npm run format) src/lib/b.ts denied',
            'Write(CWD/src/a.ts) denied',
          ],
        ],
        [
          'a hidden file',
          denying('Read(src/a.ts)'),
          ['Bash(cat CWD/src/a.ts) denied', 'Write(CWD/src/a.ts) denied', 'Bash(npm run format) src/a.ts denied'],
        ],
      ],
      2,
    ),
  )('reports what is decided differently: %s', async (_, edit, expected) => {
    const cwd = folder()
    const argv = ['policy', 'replay', record(cwd), '--policy', policyFile(cwd, 'new.yml', edit)]
    const { out } = await tryCommandLine(cwd, [...argv, '--json'])
    const { calls, differences } = JSON.parse(out) as { calls: number; differences: Record<string, string>[] }
    expect(calls).toBe(ALLOWED.length + DENIED.length + DENIED_BY_RULE.length)
    const found = differences.map(({ call, path, is }) =>
      [call, path, is].filter((word) => word !== undefined).join(' '),
    )
    expect(found.map((each) => each.replaceAll(cwd, 'CWD')).toSorted()).toEqual([...expected].toSorted())
    expect((await tryCommandLine(cwd, [...argv, '--expect-same'])).code).toBe(expected.length === 0 ? 0 : 1)
    expect((await tryCommandLine(cwd, argv)).code).toBe(0)
  })

  it('takes `last` for the newest run of the project', { tags: 'long' }, async () => {
    const cwd = folder()
    const state = join(cwd, 'state/kode-run')
    mkdirSync(state, { recursive: true })
    const id = '11111111-aaaa-4aaa-8aaa-111111111111'
    const text = readFileSync(record(cwd), 'utf8').replaceAll(OLD, cwd)
    writeFileSync(join(state, `${id}.jsonl`), text)
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

  it('requires a policy', async () => {
    const cwd = folder()
    expect((await tryCommandLine(cwd, ['policy', 'replay', record(cwd)])).code).toBe('usage')
    expect(
      (await tryCommandLine(cwd, ['policy', 'replay', 'missing.jsonl', '--policy', policyFile(cwd, 'p.yml')])).code,
    ).toBe('bad_input')
  })
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
        ['a mode', ({ permissions }) => void Object.assign(permissions, { defaultMode: 'acceptEdits' }), 'defaultMode'],
      ],
      1,
    ),
  )('calls a change wider, and its reverse narrower: %s', async (_, edit, words) => {
    const cwd = folder()
    const [old, young] = [policyFile(cwd, 'old.yml'), policyFile(cwd, 'new.yml', edit)]
    const wider = await tryCommandLine(cwd, ['policy', 'diff', old, young, '--no-wider'])
    expect(wider).toMatchObject({ code: 1, out: expect.stringContaining('The new policy allows more') })
    expect(wider.out).toContain(words)
    const back = await tryCommandLine(cwd, ['policy', 'diff', young, old, '--no-wider'])
    expect(back).toMatchObject({ code: 0, out: expect.stringContaining('allows no more than the old one') })
  })

  it.each<[string, Edit]>(
    sampled<[string, Edit]>(
      [
        ['a rule that another one has in it', allowing('Edit(src/lib/**)', 'Bash(npm test)')],
        ['a deny more', denying('Bash(npm publish *)', 'Edit(src/gen/**)')],
        ['a check more', set('checks', { commands: ['npm test'] })],
        ['a limit', set('run', { maxTurns: 5 })],
      ],
      1,
    ),
  )('does not call a change wider: %s', async (_, edit) => {
    const cwd = folder()
    const [old, young] = [policyFile(cwd, 'old.yml'), policyFile(cwd, 'new.yml', edit)]
    expect((await tryCommandLine(cwd, ['policy', 'diff', old, young, '--no-wider'])).code).toBe(0)
  })

  it('names a setting as the file does', { tags: 'long' }, async () => {
    const cwd = folder()
    const files = [
      policyFile(cwd, 'a.yml', set('run', { timeout: '25m' })),
      policyFile(cwd, 'b.yml', set('run', { timeout: '90s' })),
    ]
    expect((await tryCommandLine(cwd, ['policy', 'diff', ...files])).out).toContain('`run.timeout`: `25m` → `90s`')
  })

  it('reports no difference between equivalent policies', { tags: 'long' }, async () => {
    const cwd = folder()
    const files = [policyFile(cwd, 'a.yml'), policyFile(cwd, 'b.yml')]
    expect(await tryCommandLine(cwd, ['policy', 'diff', ...files])).toEqual({
      code: 0,
      out: 'The policies mean the same.\n',
    })
  })
})
