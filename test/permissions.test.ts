import { describe, expect, it } from 'vitest'
import type { Tool } from '../src/Tool.ts'
import { bash, type Case, callOf, caseOf, decide, NONE, toolWith, write } from './helpers/policy/permissionCases.ts'
import { table } from './helpers/table.ts'

describe('the order of a decision', () => {
  it.each(table`
    nothing allows it                                 | $ make            |                                        | deny headless
    an allow rule                                     | $ make            | allow: Bash(make)                      | allow rule
    deny beats allow                                  | $ make            | allow: Bash(make); deny: Bash(make)    | deny rule
    an allow rule stays the reason beside a hook      | $ make            | allow: Bash(make); before: allow       | allow rule
    a hook allow stands in for a missing rule         | $ make            | before: allow                          | allow hook
    a hook allow does not beat a deny rule            | $ make            | deny: Bash(make); before: allow        | deny rule
    a hook deny beats an allow rule                   | $ make            | allow: Bash(make); before: deny        | deny hook
    a hook ask beats an allow rule                    | $ make            | allow: Bash(make); before: ask         | deny hook
    a hook allow opens nothing that cannot be judged  | $ eval "$X"       | allow: Bash(make); before: allow       | deny opaque
    PermissionRequest answers what is missing         | $ make            | request: allow                         | allow hook
    PermissionRequest may answer what is not judged   | $ eval "$X"       | request: allow                         | allow hook
    PermissionRequest never beats a deny rule         | $ make            | deny: Bash(make); request: allow       | deny rule
    dontAsk asks no hook                              | $ make            | mode: dontAsk; request: allow          | deny headless
    plan lets nothing write                           | Write /tmp/a      | mode: plan; allow: Edit(//tmp/**)      | deny mode
    plan lets readers read                            | Read /tmp/a       | mode: plan                             | allow rule
    acceptEdits lets edits in the project pass        | Write /tmp/a      | mode: acceptEdits                      | allow mode
    acceptEdits does not let commands pass            | $ touch /tmp/a    | mode: acceptEdits                      | deny headless
    acceptEdits does not open protected places        | Write /.git/config | mode: acceptEdits                     | deny protected
    auto lets edits in the project pass               | Write /tmp/a      | mode: auto                             | allow mode
    auto asks the judge: allow                        | $ make            | mode: auto; judge: allow               | allow classifier
    auto asks the judge: block                        | $ make            | mode: auto; judge: deny                | deny classifier
    auto never asks about what cannot be judged       | $ eval "$X"       | mode: auto; judge: allow               | deny opaque
    auto never asks about protected places            | Write /.git/config | mode: auto; judge: allow              | deny protected
    free tools need no rule                           | Think x           |                                        | allow builtin
    free tools can be denied                          | Think x           | deny: Think                            | deny rule
  `)('%s: %s', async (_, call, options, expected) => {
    const { decision } = await decide(...callOf(call), caseOf(options))
    expect(`${decision.behavior} ${decision.reason.type}`).toBe(expected)
  })

  it('tells of what is missing the rule that would help, or why none is offered', async () => {
    const said = async (line: string) => (await decide(...bash(line), { allow: ['Bash(npx *)'] })).decision
    expect(await said('npx tsc; mkdir new')).toMatchObject({
      suggestion: ['Bash(mkdir new)'],
      message: expect.stringMatching(/`mkdir new` is not allowed.* A person could allow it by `Bash\(mkdir new\)`\.$/s),
    })
    expect((await said('mkfs.ext4 x')).message).toMatch(/ No rule is offered: .+\.$/)
  })

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
      message:
        'Plan mode is on: only tools that read may be used, Write may not. When the plan is ready, call ExitPlanMode.',
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
