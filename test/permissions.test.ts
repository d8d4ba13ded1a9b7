import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import type { Decision, PermissionMode } from '../src/contracts/decision.ts'
import { resolvePath } from '../src/files/resolvePath.ts'
import type { Hooks, HookVerdict } from '../src/hooks/Hooks.ts'
import { hasPermissionsToUseTool, type Permission, toCall } from '../src/permissions.ts'
import { loadPolicy } from '../src/policy/load/loadPolicy.ts'
import { isInsideWorkingDirectories } from '../src/policy/paths/isInsideWorkingDirectories.ts'
import { buildTool, findTool, type Tool } from '../src/Tool.ts'
import { getAllBaseTools } from '../src/tools.ts'

const NONE: HookVerdict = { decision: 'none', reason: '', hook: '', isFailure: false, additionalContext: [] }
const signal = new AbortController().signal

type Case = {
  readonly allow?: readonly string[]
  readonly deny?: readonly string[]
  readonly mode?: PermissionMode
  /** What PreToolUse hooks say. */
  readonly before?: Partial<HookVerdict>
  /** What PermissionRequest hooks say. */
  readonly request?: Partial<HookVerdict>
  readonly judge?: Decision['behavior']
  readonly isAudit?: boolean
}

async function decide(name: string | Tool, input: Record<string, unknown>, options: Case = {}): Promise<Permission> {
  const tool: Tool = typeof name === 'string' ? (findTool(getAllBaseTools(), name) ?? fail(name)) : name
  const policy = await loadPolicy({
    cwd: '/',
    home: '/root',
    flags: { allow: options.allow ?? [], deny: options.deny ?? [] },
  })
  const subjects = {
    cwd: '/',
    home: '/root',
    resolvePath: (path: string, cwd = '/') => resolvePath(path, cwd, '/root'),
  }
  const call = toCall(tool, input, subjects)
  const hooks = {
    has: () => options.request !== undefined,
    permissionRequest: async () => ({ ...NONE, hook: 'ask.sh', ...options.request }),
  }
  return hasPermissionsToUseTool(
    {
      tool,
      input,
      hooked: { call, toolUseId: 't', parentToolUseId: null },
      before: options.before && { ...NONE, hook: 'pre.sh', ...options.before },
    },
    {
      policy,
      mode: options.mode ?? 'default',
      subjects,
      signal,
      isAudit: options.isAudit ?? false,
      isPlainEdit: (subject) => subject.kind === 'path' && isInsideWorkingDirectories(policy, subject),
      hooks: hooks as unknown as Hooks,
      judge: async () => ({
        behavior: options.judge ?? 'deny',
        reason: { type: 'classifier', model: 'm', detail: 'judged' },
        message: 'judged',
        parts: [],
      }),
    },
  )
}

function fail(name: string): never {
  throw new Error(`no tool ${name}`)
}

const bash = (command: string) => ['Bash', { command }] as const
const write = (file_path: string) => ['Write', { file_path, content: 'x' }] as const

describe('the order of a decision', () => {
  const rows: readonly [string, readonly [string, Record<string, unknown>], Case, 'allow' | 'deny', string][] = [
    ['nothing allows it: headless', bash('make'), {}, 'deny', 'headless'],
    ['an allow rule', bash('make'), { allow: ['Bash(make)'] }, 'allow', 'rule'],
    ['deny beats allow', bash('make'), { allow: ['Bash(make)'], deny: ['Bash(make)'] }, 'deny', 'rule'],
    ['a hook allow stands in for a missing rule', bash('make'), { before: { decision: 'allow' } }, 'allow', 'hook'],
    [
      'a hook allow does not beat a deny rule',
      bash('make'),
      { deny: ['Bash(make)'], before: { decision: 'allow' } },
      'deny',
      'rule',
    ],
    [
      'a hook deny beats an allow rule',
      bash('make'),
      { allow: ['Bash(make)'], before: { decision: 'deny', reason: 'no' } },
      'deny',
      'hook',
    ],
    [
      'a hook ask beats an allow rule',
      bash('make'),
      { allow: ['Bash(make)'], before: { decision: 'ask', reason: 'hm' } },
      'deny',
      'hook',
    ],
    [
      'a hook allow does not open what cannot be judged',
      bash('eval "$X"'),
      { allow: ['Bash(make)'], before: { decision: 'allow' } },
      'deny',
      'opaque',
    ],
    ['PermissionRequest answers what is missing', bash('make'), { request: { decision: 'allow' } }, 'allow', 'hook'],
    [
      'PermissionRequest may answer what cannot be judged',
      bash('eval "$X"'),
      { request: { decision: 'allow' } },
      'allow',
      'hook',
    ],
    [
      'PermissionRequest never beats a deny rule',
      bash('make'),
      { deny: ['Bash(make)'], request: { decision: 'allow' } },
      'deny',
      'rule',
    ],
    ['dontAsk asks no hook', bash('make'), { mode: 'dontAsk', request: { decision: 'allow' } }, 'deny', 'headless'],
    ['plan lets nothing write', write('/tmp/a'), { mode: 'plan', allow: ['Edit(//tmp/**)'] }, 'deny', 'mode'],
    ['plan lets readers read', ['Read', { file_path: '/tmp/a' }], { mode: 'plan' }, 'allow', 'rule'],
    ['acceptEdits lets edits in the project pass', write('/tmp/a'), { mode: 'acceptEdits' }, 'allow', 'mode'],
    ['acceptEdits does not let commands pass', bash('touch /tmp/a'), { mode: 'acceptEdits' }, 'deny', 'headless'],
    ['acceptEdits does not open protected places', write('/.git/config'), { mode: 'acceptEdits' }, 'deny', 'protected'],
    ['auto lets edits in the project pass', write('/tmp/a'), { mode: 'auto' }, 'allow', 'mode'],
    ['auto asks the judge: allow', bash('make'), { mode: 'auto', judge: 'allow' }, 'allow', 'classifier'],
    ['auto asks the judge: block', bash('make'), { mode: 'auto', judge: 'deny' }, 'deny', 'classifier'],
    [
      'auto never asks about what cannot be judged',
      bash('eval "$X"'),
      { mode: 'auto', judge: 'allow' },
      'deny',
      'opaque',
    ],
    [
      'auto never asks about protected places',
      write('/.git/config'),
      { mode: 'auto', judge: 'allow' },
      'deny',
      'protected',
    ],
    ['free tools need no rule', ['Think', { thought: 'x' }], {}, 'allow', 'builtin'],
    ['free tools can be denied', ['Think', { thought: 'x' }], { deny: ['Think'] }, 'deny', 'rule'],
  ]
  for (const [name, [tool, input], options, behavior, reason] of rows) {
    it(name, async () => {
      const { decision } = await decide(tool, input, options)
      expect([decision.behavior, decision.reason.type]).toEqual([behavior, reason])
    })
  }

  it("runs the text that was judged, and the model's own only if there is no canonical text", async () => {
    const line = bash('echo  "a b"')
    const scoped = await decide(...line, { allow: ['Bash(echo *)'] })
    const bare = await decide(...line, { allow: ['Bash'] })
    const hooked = await decide(...line, { request: { decision: 'allow' } })
    expect([scoped, bare, hooked].map(({ canonical }) => canonical)).toEqual(Array(3).fill("'echo' 'a b'"))
    const unseen = bash('coproc x')
    const bareUnseen = await decide(...unseen, { allow: ['Bash'] })
    const hookedUnseen = await decide(...unseen, { request: { decision: 'allow' } })
    for (const { decision, canonical } of [bareUnseen, hookedUnseen]) {
      expect([decision.behavior, canonical]).toEqual(['allow', undefined])
    }
  })
})

describe('an audit', () => {
  const rows: readonly [string, readonly [string, Record<string, unknown>], Case, 'allow' | 'deny', string][] = [
    ['runs a command that no rule allows', bash('make all'), {}, 'allow', 'audit'],
    ['runs a redirect that no rule allows', bash('make > out.txt'), {}, 'allow', 'audit'],
    ['writes a file of the project', write('/srv/a.ts'), {}, 'allow', 'audit'],
    ['asks no hook in vain: dontAsk', bash('make'), { mode: 'dontAsk' }, 'allow', 'audit'],
    ['runs what hooks have no word on', bash('make'), { request: { decision: 'none' } }, 'allow', 'audit'],
    ['never runs what a hook denies', bash('make'), { request: { decision: 'deny' } }, 'deny', 'hook'],
    ['never runs what is denied', bash('make'), { deny: ['Bash(make)'] }, 'deny', 'rule'],
    ['never runs what the judge blocks', bash('make'), { mode: 'auto', judge: 'deny' }, 'deny', 'classifier'],
    ['never runs what cannot be known', bash('eval "$X"'), { allow: ['Bash(ls)'] }, 'deny', 'opaque'],
    ['never writes what is protected', write('/.github/workflows/a.yml'), {}, 'deny', 'protected'],
    ['fetches a page', ['WebFetch', { url: 'https://example.com', prompt: 'x' }], {}, 'allow', 'audit'],
    [
      'never fetches what tells of the machine',
      ['WebFetch', { url: 'http://169.254.169.254/latest', prompt: 'x' }],
      {},
      'deny',
      'headless',
    ],
    ['keeps a rule as the reason where there is one', bash('make'), { allow: ['Bash(make)'] }, 'allow', 'rule'],
    ['never writes in plan mode', write('/srv/a.ts'), { mode: 'plan' }, 'deny', 'mode'],
  ]
  it.each(rows)('%s', async (_, [name, input], options, behavior, reason) => {
    const { decision, ruled } = await decide(name, input, { ...options, isAudit: true })
    expect([decision.behavior, decision.reason.type]).toEqual([behavior, reason])
    expect(ruled.reason.type).not.toBe('audit')
  })

  it('runs nothing of a call that it may only partly allow', async () => {
    const [both, one] = ['both', 'one'].map((name) =>
      buildTool({
        name,
        inputSchema: () => z.strictObject({}),
        description: () => '',
        subjects: (_, { resolvePath }) => [
          { kind: 'path' as const, access: 'write' as const, path: resolvePath('/srv/a.ts'), source: 'tool' as const },
          ...(name === 'both' ? [{ kind: 'name' as const, tool: name }] : []),
        ],
        async *call() {
          yield { type: 'result' as const, data: '' }
        },
        mapResult: () => ({ content: '' }),
      }),
    )
    expect((await decide(one ?? '', {}, { isAudit: true })).decision.behavior).toBe('allow')
    expect((await decide(both ?? '', {}, { isAudit: true })).decision.behavior).toBe('deny')
  })

  it("runs the analyzed text, not the model's own", async () => {
    expect((await decide(...bash('echo  "a b"'), { isAudit: true, deny: ['Bash(curl *)'] })).canonical).toBeTypeOf(
      'string',
    )
  })
})
