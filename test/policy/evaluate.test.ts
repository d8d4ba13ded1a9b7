import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isAbsence } from '../../src/contracts/decision.ts'
import type { Reason } from '../../src/contracts/reason.ts'
import type { Call, Subject } from '../../src/contracts/subject.ts'
import { evaluate } from '../../src/policy/evaluate.ts'
import { allowReading, protectPaths } from '../../src/policy/load/loadPolicy.ts'
import { anchorPolicy } from '../../src/policy/rules/indexPolicy.ts'
import {
  bashCall,
  callOf,
  commandSubject,
  fetchCall,
  HOME,
  mcpCall,
  PROJECT,
  pathSubject,
  policyOf,
  type RuleLists,
  readCall,
  writeCall,
} from '../helpers/policy/policyCalls.ts'
import { times } from '../helpers/sampled.ts'

const OPAQUE: Subject = { kind: 'opaque', reason: { code: 'unseenCommands', program: 'eval' }, isUnseen: true }
/** What no scoped rule covers, though all its commands are seen. */
const CLOSED: Subject = { kind: 'opaque', reason: { code: 'variable', name: 'PATH' } }

async function behaviors(lists: RuleLists, calls: readonly Call[]): Promise<readonly string[]> {
  const policy = await policyOf(lists)
  return calls.map((call) => evaluate(policy, call).behavior)
}

describe('the order of a decision', () => {
  it('gives each decision its reason', async () => {
    const policy = await policyOf({ allow: ['Bash(echo *)'], deny: ['Bash(curl *)'], ask: ['Bash(git push *)'] })
    const reason = (call: Call) => evaluate(policy, call).reason
    const file = '/etc/kode/policy.yml'
    expect(reason(bashCall('echo a', 'curl x'))).toEqual({
      type: 'rule',
      rule: { text: 'Bash(curl *)', list: 'deny', file, line: 1 },
    })
    expect(reason(bashCall('git push', 'touch x'))).toMatchObject({ type: 'rule', rule: { list: 'ask' } })
    expect(reason(bashCall('echo a', OPAQUE))).toEqual({
      type: 'opaque',
      detail: 'the command line does not show what `eval` runs',
      why: { code: 'unseenCommands', program: 'eval' },
    })
    expect(reason(bashCall('touch x')).type).toBe('headless')
    expect(isAbsence(evaluate(policy, bashCall('touch x')))).toBe(true)
    expect(isAbsence(evaluate(policy, bashCall('git push')))).toBe(false)
  })

  it('tells the model briefly what was not allowed and what is', async () => {
    const allow = Array.from({ length: 40 }, (_, index) => `Bash(tool${index} *)`)
    const policy = await policyOf({ allow: [...allow, 'Bash(npm test *)', 'Read(./**)'], deny: ['Bash(curl *)'] })
    const { message } = evaluate(policy, bashCall('echo a', 'npm install'))
    expect(message).toContain('`echo a` is not allowed: no allow rule covers it')
    expect(message.length).toBeLessThan(300)
    expect(evaluate(policy, bashCall('npm install')).message).toMatch(/Allowed of this kind: `Bash\(npm test \*\)`/)
    expect(evaluate(policy, bashCall('curl x')).message).toBe(
      'Bash: `curl x` is denied by the rule `Bash(curl *)` (/etc/kode/policy.yml:1). Do not look for another way to do the same thing.',
    )
    expect(evaluate(policy, writeCall('a')).message).toContain('Nothing of this kind is allowed')
    expect(evaluate(policy, bashCall('make x')).message).toContain('Nothing of this kind is allowed')
    expect(evaluate(policy, bashCall('npm test')).message).toBe('')
  })

  it.each<[Reason, string]>([
    [
      { code: 'variable', name: 'PATH' },
      'the variable PATH controls which programs run. Leave that out, or set the variable for every command with `env: { set: … }` in the policy.',
    ],
    [{ code: 'stated', text: 'it is not a web address' }, 'it is not a web address.'],
  ])('reports the rule that matches and what would help: %j', async (reason, sentence) => {
    const { message } = evaluate(await policyOf({}), bashCall({ kind: 'opaque', reason }))
    expect(message).toBe(`Bash was not run because it cannot be judged in advance: ${sentence}`)
  })

  it('does not mention folders that the run opened for itself', async () => {
    const own = allowReading(await policyOf({ allow: ['Read(docs/**)'] }), '/state/run/blobs')
    expect(evaluate(own, readCall('/state/run/blobs/a')).behavior).toBe('allow')
    const { message } = evaluate(own, readCall('/elsewhere'))
    expect(message).toContain('Allowed of this kind: `Read(docs/**)`.')
  })

  it('names only allowed subjects of the same kind', async () => {
    const policy = await policyOf({
      allow: [
        ...['Bash(npm test)', 'Bash(git diff *)', 'Bash(git log:*)', 'Read(./docs/**)', 'Edit(src/**)'],
        ...['WebFetch(domain:a.example)', 'mcp__github__get_*', 'mcp__other__x', 'Agent(reviewer)'],
      ],
    })
    const allowed = (call: Call) => /Allowed of this kind: (.*)\.$/.exec(evaluate(policy, call).message)?.[1]
    expect([
      allowed(bashCall('git push')),
      allowed(bashCall('curl x')),
      allowed(bashCall(pathSubject('write', '/opt/out', 'redirect'))),
      allowed(bashCall(pathSubject('read', '/opt/x', 'redirect'))),
      allowed(writeCall('package.json')),
      allowed(fetchCall('https://b.example/')),
      allowed(mcpCall('github', 'delete')),
      allowed(mcpCall('third', 'get')),
      allowed(callOf('Agent', [{ kind: 'name', tool: 'Agent', specifier: 'other' }])),
    ]).toEqual([
      '`Bash(git diff *)`, `Bash(git log:*)`',
      undefined,
      '`Edit(src/**)`',
      '`Read(./docs/**)`, `Edit(src/**)`',
      '`Edit(src/**)`',
      '`WebFetch(domain:a.example)`',
      '`mcp__github__get_*`',
      undefined,
      '`Agent(reviewer)`',
    ])
  })
})

describe('tools without effect outside the run', () => {
  it('are allowed by themselves, unless a deny or ask names them', async () => {
    const call = callOf('TodoWrite', [], { isFree: true })
    expect(await behaviors({}, [call])).toEqual(['allow'])
    expect(await behaviors({ deny: ['TodoWrite'] }, [call])).toEqual(['deny'])
    expect(await behaviors({ ask: ['TodoWriteTool'] }, [call])).toEqual(['ask'])
  })
})

describe('bare Bash', () => {
  const calls = [
    bashCall('anything at all'),
    bashCall(OPAQUE),
    bashCall(CLOSED),
    bashCall(pathSubject('write', 'x', 'redirect')),
  ]
  it('allows every line, unless a deny or ask may match a command in it', async () => {
    expect(await behaviors({ allow: ['Bash'] }, calls)).toEqual(['allow', 'allow', 'allow', 'allow'])
    expect(await behaviors({ allow: ['Bash(*)'] }, calls)).toEqual(['allow', 'allow', 'allow', 'allow'])
    for (const deny of ['Read(.env)', 'Edit(src/**)', 'WebFetch']) {
      expect(await behaviors({ allow: ['Bash'], deny: [deny] }, calls)).toEqual(['allow', 'allow', 'allow', 'allow'])
    }
    const judged = await behaviors({ allow: ['Bash'], deny: ['Bash(curl *)'] }, [...calls, bashCall('curl x')])
    expect(judged).toEqual(['allow', 'deny', 'allow', 'allow', 'deny'])
    expect(await behaviors({ allow: ['Bash'], ask: ['Bash(curl *)'] }, [bashCall(OPAQUE)])).toEqual(['ask'])
  })
  it('still respects visible protected places, and is removed by a bare deny', async () => {
    const call = bashCall('echo x', pathSubject('write', '.git/hooks/pre-commit', 'redirect'))
    expect(await behaviors({ allow: ['Bash'] }, [call])).toEqual(['ask'])
    expect(await behaviors({ allow: ['Bash'], deny: ['Bash'] }, calls)).toEqual(['deny', 'deny', 'deny', 'deny'])
  })
  it('does not apply to PowerShell', async () => {
    const call = callOf('PowerShell', [OPAQUE])
    expect(await behaviors({ allow: ['Bash'] }, [call])).toEqual(['ask'])
    expect(await behaviors({ allow: ['PowerShell'] }, [call])).toEqual(['allow'])
    expect(await behaviors({ allow: ['PowerShell'], deny: ['Bash(curl *)'] }, [call])).toEqual(['deny'])
  })
})

describe('working directories', () => {
  it('are what the preset reads, and move with the root', async () => {
    const policy = await policyOf({ presets: ['read-only'], additionalDirectories: ['/data [1]', '~/more'] })
    const of = (given: string) => evaluate(policy, readCall(given)).behavior
    expect([of('a/b'), of('.'), of('/data [1]/x'), of(`${HOME}/more/x`), of('/data 1/x'), of('/etc/x')]).toEqual([
      ...['allow', 'allow', 'allow', 'allow', 'ask', 'ask'],
    ])
    expect(evaluate(policy, readCall('a')).reason).toMatchObject({
      rule: { text: 'Read(./**)', file: 'preset:read-only', line: 6 },
    })
    const moved = anchorPolicy(policy, '/tree')
    expect(evaluate(moved, readCall('/tree/x')).behavior).toBe('allow')
    expect(evaluate(moved, readCall(`${PROJECT}/x`)).behavior).toBe('ask')
  })
})

it('a path elsewhere is denied with the place of the project, which a model may think is there', async () => {
  const policy = await policyOf({ allow: ['Read(./**)'] })
  const { message } = evaluate(policy, readCall('/repo/src/a.ts'))
  expect(message).toContain(
    `reading /repo/src/a.ts is not allowed: no allow rule covers it. The project is ${PROJECT}. `,
  )
  expect(evaluate(policy, writeCall('src/a.ts')).message).not.toContain('The project is')
})

describe('a protected place', () => {
  it.each([
    ['.github/workflows/ci.yml', writeCall],
    ['.npmrc', writeCall],
    ['.git/hooks/pre-commit', writeCall],
    ['.env', readCall],
    [`${HOME}/.ssh/known_hosts`, readCall],
  ])('says which rule opens %s, and that one does', async (path, callOf) => {
    const { message } = evaluate(
      await policyOf({ allow: ['Edit(./**)', 'Edit(//**)', 'Edit(~/**)', 'Edit', 'Read'] }),
      callOf(path),
    )
    const [, rule = ''] = /Only a rule that names it exactly allows it: `(.+)`\.$/.exec(message) ?? []
    expect(await behaviors({ allow: [rule] }, [callOf(path)])).toEqual(['allow'])
  })

  it('never opens the kernel to a tool, nor the policy and the records to a writer', async () => {
    const lists = { allow: ['Read(//proc/cpuinfo)', 'Edit(//etc/kode/policy.yml)', 'Edit(//var/run-1/**)', 'Edit'] }
    const policy = await policyOf(lists, { untouchable: ['/var/run-1'] })
    for (const given of ['/proc/cpuinfo', '/sys/x', '/dev/mem']) {
      const decision = evaluate(policy, readCall(given))
      expect(decision).toMatchObject({ behavior: 'deny', reason: { type: 'protected' } })
      expect(decision.message).toMatch(/is not allowed: no tool opens files of \/proc, \/sys and \/dev\.$/)
    }
    expect(evaluate(policy, bashCall(pathSubject('read', '/proc/cpuinfo', 'operand'))).behavior).toBe('allow')
    for (const given of ['/etc/kode/policy.yml', '/etc/kode/POLICY.yml', '/var/run-1/transcript.jsonl', '/var/run-1']) {
      expect(evaluate(policy, writeCall(given)).behavior).toBe('deny')
    }
    expect(evaluate(policy, writeCall('/var/run-12/x')).behavior).toBe('allow')
    expect(evaluate(policy, writeCall('/opt/late')).behavior).toBe('allow')
    expect(evaluate(protectPaths(policy, ['/opt/late']), writeCall('/opt/late')).behavior).toBe('deny')
  })
})

describe('a call', () => {
  it('to a host whose address is too long is denied', async () => {
    const call = fetchCall(`https://${'a'.repeat(9000)}.trusted.dev/`)
    expect(await behaviors({ allow: ['WebFetch(domain:*.trusted.dev)'] }, [call])).toEqual(['deny'])
  })

  it('in a working directory among the settings of the home folder is like any other', async () => {
    const cwd = `${HOME}/.work/project`
    const policy = await policyOf({ allow: ['Edit(./**)'] }, { cwd })
    expect(evaluate(policy, callOf('Write', [pathSubject('write', 'a', 'tool', cwd)])).behavior).toBe('allow')
  })

  it('is meant by a rule on a parameter under any name of its tool', async () => {
    const call = { ...callOf('Mine', [], { input: { query: 'my secret' }, isFree: true }), aliases: ['WebSearch'] }
    expect(await behaviors({ deny: ['WebSearch(query:*secret*)'] }, [call])).toEqual(['deny'])
  })

  it('is denied by the first rule of a list that means it', async () => {
    const policy = await policyOf({ deny: ['Bash', 'BashTool'] })
    const { reason } = evaluate(policy, callOf('Bash', []))
    expect(reason).toMatchObject({ type: 'rule', rule: { text: 'Bash' } })
  })
})

describe('monotony', () => {
  const RULES = [
    ...['Bash', 'Read', 'Edit', 'Write', 'WebFetch', 'mcp__s', 'mcp__s__get_*', 'Bash(git *)', 'Bash(git push *)'],
    ...['Bash(git status)', 'Read(src/**)', 'Edit(src/**)', 'Edit(*.ts)', 'Read(.env*)', 'Edit(.git/hooks/x)'],
    ...['Read(/src/)', 'WebFetch(domain:*.a.org)', 'WebFetch(domain:b.a.org)', 'Bash(*push*)'],
  ]
  const CALLS = [
    ...[bashCall('git push'), bashCall('git status', OPAQUE), bashCall('ls'), readCall('src/a.ts'), readCall('.env')],
    ...[writeCall('src/a.ts'), writeCall('.git/hooks/x'), mcpCall('s', 'get_x'), mcpCall('s', 'x')],
    fetchCall('https://b.a.org/'),
    bashCall('git status', pathSubject('write', 'src/a.ts', 'redirect')),
    bashCall(commandSubject('git push'), pathSubject('read', '.env', 'operand')),
  ]
  const lists = fc.record({
    allow: fc.subarray(RULES),
    ask: fc.subarray(RULES, { maxLength: 3 }),
    deny: fc.subarray(RULES, { maxLength: 3 }),
  })

  it('never allows more with an additional deny or ask, or without an allow', async () => {
    await fc.assert(
      fc.asyncProperty(lists, fc.constantFrom(...RULES), async (some, rule) => {
        const before = await behaviors(some, CALLS)
        const stricter = await Promise.all([
          behaviors({ ...some, deny: [...some.deny, rule] }, CALLS),
          behaviors({ ...some, ask: [...some.ask, rule] }, CALLS),
          behaviors({ ...some, allow: some.allow.filter((other) => other !== rule) }, CALLS),
        ])
        for (const after of stricter) {
          for (const [index, behavior] of after.entries()) {
            if (behavior === 'allow') expect([some, rule, index, before[index]]).toEqual([some, rule, index, 'allow'])
          }
        }
      }),
      { numRuns: times(40, 10) },
    )
  })
})
