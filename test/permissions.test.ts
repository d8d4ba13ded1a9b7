import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import type { Decision, PermissionMode } from '../src/contracts/decision.ts'
import type { Subject } from '../src/contracts/subject.ts'
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
  /** `none`: there is no judge. */
  readonly judge?: Decision['behavior'] | 'none'
  readonly isAudit?: boolean
  /** The project root; by default everything is the project. */
  readonly root?: string
  /** What PermissionRequest hooks said of the input that they replaced. */
  readonly answered?: Partial<HookVerdict>
  /** The events that hooks were asked for. */
  readonly heard?: string[]
}

async function decide(name: string | Tool, input: Record<string, unknown>, options: Case = {}): Promise<Permission> {
  const { judge = 'deny' } = options
  const tool: Tool = typeof name === 'string' ? (findTool(getAllBaseTools(), name) ?? fail(name)) : name
  const root = options.root ?? '/'
  const policy = await loadPolicy({
    cwd: root,
    home: '/root',
    flags: { allow: options.allow ?? [], deny: options.deny ?? [] },
  })
  const subjects = {
    cwd: root,
    home: '/root',
    resolvePath: (path: string, cwd = root) => resolvePath(path, cwd, '/root'),
  }
  const call = toCall(tool, input, subjects)
  const hooks = {
    has: (event: string) => event === 'PermissionRequest' && options.request !== undefined,
    permissionRequest: async () => {
      options.heard?.push('PermissionRequest')
      return { ...NONE, hook: 'ask.sh', ...options.request }
    },
  }
  return hasPermissionsToUseTool(
    {
      tool,
      input,
      hooked: { call, toolUseId: 't', parentToolUseId: null },
      before: options.before && { ...NONE, hook: 'pre.sh', ...options.before },
      ...(options.answered && { answered: { ...NONE, hook: 'ask.sh', ...options.answered } }),
    },
    {
      policy,
      mode: options.mode ?? 'default',
      subjects,
      signal,
      isAudit: options.isAudit ?? false,
      isPlainEdit: (subject) => subject.kind === 'path' && isInsideWorkingDirectories(policy, subject),
      // Without hooks and without a judge is how `policy explain` asks.
      ...(options.request === undefined ? {} : { hooks: hooks as unknown as Hooks }),
      ...(judge === 'none' ? {} : { judge: async () => judgement(judge) }),
    },
  )
}

function judgement(behavior: Decision['behavior']): Decision {
  return { behavior, reason: { type: 'classifier', model: 'm', detail: 'judged' }, message: 'judged', parts: [] }
}

function fail(name: string): never {
  throw new Error(`no tool ${name}`)
}

/** A tool that writes a file, and says what is given here besides. */
function toolWith(given: Partial<Tool> = {}): Tool {
  return buildTool({
    name: 'Own',
    inputSchema: () => z.strictObject({}),
    description: () => '',
    subjects: (_, { resolvePath }) => [
      { kind: 'path', access: 'write', path: resolvePath('/srv/a.ts'), source: 'tool' },
    ],
    async *call() {
      yield { type: 'result', data: '' }
    },
    mapResult: () => ({ content: '' }),
    ...given,
  })
}

const bash = (command: string) => ['Bash', { command }] as const
const write = (file_path: string) => ['Write', { file_path, content: 'x' }] as const

describe('the order of a decision', () => {
  const rows: readonly [string, readonly [string, Record<string, unknown>], Case, 'allow' | 'deny', string][] = [
    ['nothing allows it: headless', bash('make'), {}, 'deny', 'headless'],
    ['an allow rule', bash('make'), { allow: ['Bash(make)'] }, 'allow', 'rule'],
    ['deny beats allow', bash('make'), { allow: ['Bash(make)'], deny: ['Bash(make)'] }, 'deny', 'rule'],
    [
      'an allow rule stays the reason where a hook allows it too',
      bash('make'),
      { allow: ['Bash(make)'], before: { decision: 'allow' } },
      'allow',
      'rule',
    ],
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

describe('the word of a hook', () => {
  it('is the reason, with the event and the hook, and the message on a deny alone', async () => {
    const denied = await decide(...bash('make'), { before: { decision: 'deny', reason: 'not today' } })
    expect(denied.decision).toMatchObject({
      reason: { type: 'hook', event: 'PreToolUse', hook: 'pre.sh', detail: 'not today' },
      message: 'Denied by a PreToolUse hook: not today',
    })
    const asked = await decide(...bash('make'), { allow: ['Bash(make)'], before: { decision: 'ask', reason: 'sure?' } })
    expect(asked.decision).toMatchObject({
      behavior: 'deny',
      reason: { type: 'hook', event: 'PreToolUse' },
      message: 'Denied by a PreToolUse hook: sure?',
    })
    const mute = await decide(...bash('make'), { request: { decision: 'deny' } })
    expect(mute.decision).toMatchObject({
      reason: { type: 'hook', event: 'PermissionRequest', hook: 'ask.sh' },
      message: 'Denied by a PermissionRequest hook: no reason given',
    })
    const before = await decide(...bash('make'), { before: { decision: 'allow', reason: 'fine' } })
    const request = await decide(...bash('make'), { request: { decision: 'allow', reason: 'fine' } })
    expect([before, request].map(({ decision }) => decision)).toMatchObject([
      { reason: { event: 'PreToolUse', detail: 'fine' }, message: '' },
      { reason: { event: 'PermissionRequest', detail: 'fine' }, message: '' },
    ])
  })

  it('asks the judge of `auto` and other hooks only where no hook said ask', async () => {
    const options = { allow: ['Bash(make)'], before: { decision: 'ask' } } as const
    const judged = await decide(...bash('make'), { ...options, mode: 'auto', judge: 'allow' })
    expect(judged.decision).toMatchObject({ behavior: 'deny', reason: { type: 'hook', event: 'PreToolUse' } })
    const answered = await decide(...bash('make'), { ...options, request: { decision: 'allow' } })
    expect(answered.decision).toMatchObject({ behavior: 'allow', reason: { event: 'PermissionRequest' } })
  })

  it('brings what hooks tell the model, that of PreToolUse first, and nothing without hooks', async () => {
    const before = { decision: 'none', additionalContext: ['first'] } as const
    const request = { decision: 'allow', additionalContext: ['second', 'third'] } as const
    expect((await decide(...bash('make'), { before, request })).additionalContext).toEqual(['first', 'second', 'third'])
    expect((await decide(...bash('make'), {})).additionalContext).toEqual([])
    expect((await decide(...bash('make'), { request: { decision: 'none' } })).additionalContext).toEqual([])
  })

  it('ends the run where a PermissionRequest hook says so, whatever it decides', async () => {
    for (const decision of ['allow', 'deny', 'none'] as const)
      expect((await decide(...bash('make'), { request: { decision, stop: 'enough' } })).stop).toBe('enough')
    expect(await decide(...bash('make'), { request: { decision: 'allow' } })).not.toHaveProperty('stop')
  })

  it('replaces the input only with an allow, and hands the word on for the second look', async () => {
    const updatedInput = { command: 'make -n' }
    const allowed = await decide(...bash('make'), { request: { decision: 'allow', reason: 'dry', updatedInput } })
    expect(allowed.edit).toEqual({
      input: updatedInput,
      verdict: { ...NONE, hook: 'ask.sh', decision: 'allow', reason: 'dry' },
    })
    for (const decision of ['deny', 'none'] as const)
      expect(await decide(...bash('make'), { request: { decision, updatedInput } })).not.toHaveProperty('edit')
    expect(await decide(...bash('make'), { request: { decision: 'allow' } })).not.toHaveProperty('edit')
    expect(await decide(...bash('make'), {})).not.toHaveProperty('edit')
  })

  it('is asked once: the second look at a replaced input takes the first answer, deny rules still win', async () => {
    const heard: string[] = []
    const options = { heard, request: { decision: 'deny' }, answered: { decision: 'allow', reason: 'dry' } } as const
    const again = await decide(...bash('make -n'), options)
    expect(again.decision).toMatchObject({ behavior: 'allow', reason: { type: 'hook', detail: 'dry' } })
    const denied = await decide(...bash('make -n'), { ...options, deny: ['Bash(make *)'] })
    expect(denied.decision).toMatchObject({ behavior: 'deny', reason: { type: 'rule' } })
    expect(heard).toEqual([])
  })
})

describe("the tool's own check", () => {
  const says = (behavior: 'ask' | 'deny') => toolWith({ checkPermissions: () => ({ behavior, message: 'too large' }) })

  it('stands against rules, hooks, modes and the judge where it denies', async () => {
    const cases: readonly Case[] = [
      { allow: ['Edit(//srv/**)'] },
      { before: { decision: 'allow' } },
      { request: { decision: 'allow' } },
      { mode: 'acceptEdits' },
      { mode: 'auto', judge: 'allow' },
      { isAudit: true },
    ]
    for (const options of cases)
      expect((await decide(says('deny'), {}, options)).decision).toMatchObject({
        behavior: 'deny',
        reason: { type: 'tool', tool: 'Own', detail: 'too large' },
        message: 'too large',
      })
  })

  it('leaves an answer to PermissionRequest hooks alone where it asks', async () => {
    const own = { behavior: 'deny', reason: { type: 'tool', tool: 'Own', detail: 'too large' }, message: 'too large' }
    const deaf: readonly Case[] = [
      { allow: ['Edit(//srv/**)'] },
      { mode: 'acceptEdits' },
      { mode: 'auto', judge: 'allow' },
      { isAudit: true },
    ]
    for (const options of deaf) expect((await decide(says('ask'), {}, options)).decision).toMatchObject(own)
    const { decision } = await decide(says('ask'), {}, { request: { decision: 'allow' } })
    expect(decision).toMatchObject({ behavior: 'allow', reason: { type: 'hook' } })
  })

  it('is told after rules and hooks that deny', async () => {
    const rule = await decide(says('deny'), {}, { deny: ['Edit(//srv/**)'] })
    const hook = await decide(says('deny'), {}, { before: { decision: 'deny' } })
    expect([rule.decision.reason.type, hook.decision.reason.type]).toEqual(['rule', 'hook'])
  })
})

describe('a mode', () => {
  it('names itself as the reason, and tells the model nothing where it allows', async () => {
    for (const mode of ['acceptEdits', 'auto'] as const)
      expect((await decide(...write('/srv/a'), { mode, judge: 'none' })).decision).toMatchObject({
        reason: { type: 'mode', mode },
        message: '',
      })
    expect((await decide(...write('/srv/a'), { mode: 'plan' })).decision).toMatchObject({
      behavior: 'deny',
      reason: { type: 'mode', mode: 'plan' },
      message: 'Plan mode is on: only tools that read may be used, Write may not. Leave it with ExitPlanMode.',
    })
  })

  it('lets the hooks answer in `auto` where there is no judge', async () => {
    const { decision } = await decide(...bash('make'), { mode: 'auto', judge: 'none', request: { decision: 'allow' } })
    expect(decision).toMatchObject({ behavior: 'allow', reason: { type: 'hook' } })
    expect((await decide(...bash('make'), { mode: 'auto', judge: 'none' })).decision.reason.type).toBe('headless')
  })

  it('keeps the verdict on each part beside what the judge said', async () => {
    const { decision } = await decide(...bash('make && ls'), { mode: 'auto', judge: 'allow', allow: ['Bash(ls)'] })
    expect(decision.parts.map(({ subject, behavior }) => [subject, behavior])).toEqual([
      ['make', 'ask'],
      ['ls', 'allow'],
    ])
  })

  it('takes a call with other things for an edit only where rules allow those', async () => {
    const subjects: Tool['subjects'] = (_, { resolvePath }) => [
      { kind: 'mcp', server: 'srv', tool: 'look' },
      { kind: 'path', access: 'write', path: resolvePath('/srv/a.ts'), source: 'tool' },
    ]
    const mixed = (allow: readonly string[]) => decide(toolWith({ subjects }), {}, { mode: 'acceptEdits', allow })
    expect((await mixed(['mcp__srv__look'])).decision.reason.type).toBe('mode')
    expect((await mixed([])).decision.reason.type).toBe('headless')
    const nothing = await decide(toolWith({ subjects: () => [] }), {}, { mode: 'acceptEdits' })
    expect(nothing.decision).toMatchObject({ behavior: 'deny', reason: { type: 'headless' } })
  })
})

describe('the text that runs', () => {
  const silent = toolWith({ name: 'Bash', canonicalText: () => null })

  it('is none where the judged text cannot be rebuilt, and only rules, a mode or the judge allowed it', async () => {
    for (const options of [
      { allow: ['Edit(//srv/**)', 'Bash(x)'] },
      { mode: 'acceptEdits' },
      { isAudit: true },
    ] as const) {
      const { decision, canonical } = await decide(silent, {}, options)
      expect(decision).toMatchObject({
        behavior: 'deny',
        reason: { type: 'opaque', detail: 'the command cannot be parsed with certainty' },
      })
      expect(decision.message).toMatch(
        /^Not run: the command cannot be parsed with certainty\. Split it into simple commands\./,
      )
      expect(canonical).toBeUndefined()
    }
  })

  it("is the model's own where a hook saw it and said yes", async () => {
    const { decision, canonical } = await decide(silent, {}, { before: { decision: 'allow' } })
    expect([decision.behavior, canonical]).toEqual(['allow', undefined])
  })

  it('is no question for a call that is denied: the first reason stands', async () => {
    const { decision } = await decide(silent, {}, { before: { decision: 'deny', reason: 'no' } })
    expect(decision).toMatchObject({ reason: { type: 'hook' }, message: 'Denied by a PreToolUse hook: no' })
    expect((await decide(...bash('make'), {})).canonical).toBeUndefined()
  })
})

describe('advice', () => {
  it('is given for what lacks a rule, and for what only an audit let run', async () => {
    expect((await decide(...bash('make'), {})).decision.suggestion).toEqual(['Bash(make)'])
    const audited = (await decide(...bash('make'), { isAudit: true })).decision
    expect(audited.suggestion).toEqual(['Bash(make)'])
    expect(audited).toMatchObject({ reason: { type: 'audit', detail: expect.stringContaining('make') }, message: '' })
    for (const options of [
      { allow: ['Bash(make)'] },
      { deny: ['Bash(make)'] },
      { before: { decision: 'allow' } },
    ] as const)
      expect((await decide(...bash('make'), options)).decision).not.toHaveProperty('suggestion')
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
    const own = { kind: 'name' as const, tool: 'Own' }
    const server = { kind: 'mcp' as const, server: 'srv', tool: 'look' }
    const command = { kind: 'command' as const, chain: [], text: 'make' }
    const path = (at: string) => {
      const forms = { given: at, lexical: at, resolved: at, physical: at }
      return { kind: 'path' as const, access: 'write' as const, path: forms, source: 'tool' as const }
    }
    const page = (host: string) => ({ kind: 'domain' as const, url: `https://${host}/`, host })
    const rows: readonly [readonly Subject[], 'allow' | 'deny'][] = [
      [[path('/srv/a.ts')], 'allow'],
      [[path('/srv/a.ts'), own], 'deny'],
      [[own, path('/srv/a.ts')], 'deny'],
      [[path('/srv/a.ts'), path('/etc/hosts')], 'deny'],
      [[path('/etc/hosts'), path('/srv/a.ts')], 'deny'],
      [[server], 'allow'],
      [[server, own], 'deny'],
      [[page('example.com'), page('169.254.169.254')], 'deny'],
      [[page('example.com'), server], 'allow'],
      // What a command writes is contained, wherever it lies; what a file tool writes is not.
      [[path('/etc/hosts'), command], 'allow'],
      [[path('/etc/hosts'), server], 'deny'],
      [[own, command], 'deny'],
    ]
    const behaviors = await Promise.all(
      rows.map(async ([subjects]) => {
        const tool = toolWith({ subjects: () => subjects })
        return (await decide(tool, {}, { isAudit: true, root: '/srv' })).decision.behavior
      }),
    )
    expect(behaviors).toEqual(rows.map(([, behavior]) => behavior))
  })

  it("runs the analyzed text, not the model's own", async () => {
    expect((await decide(...bash('echo  "a b"'), { isAudit: true, deny: ['Bash(curl *)'] })).canonical).toBeTypeOf(
      'string',
    )
  })
})
