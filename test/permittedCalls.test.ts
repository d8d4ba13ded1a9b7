import { describe, expect, it } from 'vitest'
import type { Subject } from '../src/contracts/subject.ts'
import { unfollowed } from '../src/files/resolvePath.ts'
import { bash, callOf, caseOf, decide, toolWith } from './helpers/policy/permissionCases.ts'
import { table } from './helpers/table.ts'

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
  it.each(table`
    runs a command that no rule allows        | $ make all       |                       | allow audit
    runs a redirect that no rule allows       | $ make > out.txt |                       | allow audit
    writes a file of the project              | Write /srv/a.ts  |                       | allow audit
    asks no hook in vain                      | $ make           | mode: dontAsk         | allow audit
    runs what hooks have no word on           | $ make           | request: none         | allow audit
    never runs what a hook denies             | $ make           | request: deny         | deny hook
    never runs what is denied                 | $ make           | deny: Bash(make)      | deny rule
    never runs what the judge blocks          | $ make           | mode: auto; judge: deny | deny classifier
    never runs what cannot be known           | $ eval "$X"      | allow: Bash(ls)       | deny opaque
    never writes what is protected            | Write /.github/workflows/a.yml |         | deny protected
    fetches a page                            | WebFetch https://example.com |           | allow audit
    never fetches what tells of the machine   | WebFetch http://169.254.169.254/latest | | deny headless
    keeps a rule as the reason                | $ make           | allow: Bash(make)     | allow rule
    never writes in plan mode                 | Write /srv/a.ts  | mode: plan            | deny mode
  `)('%s: %s', async (_, call, options, expected) => {
    const { decision, ruled } = await decide(...callOf(call), { ...caseOf(options), isAudit: true })
    expect(`${decision.behavior} ${decision.reason.type}`).toBe(expected)
    expect(ruled.reason.type).not.toBe('audit')
  })

  it('runs nothing of a call that it may only partly allow', async () => {
    const own = { kind: 'name' as const, tool: 'Own' }
    const server = { kind: 'mcp' as const, server: 'srv', tool: 'look' }
    const command = { kind: 'command' as const, chain: [], text: 'make' }
    const path = (at: string) => ({ kind: 'path', access: 'write', path: unfollowed(at), source: 'tool' }) as const
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
