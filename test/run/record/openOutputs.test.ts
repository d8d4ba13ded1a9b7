import { existsSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createRedactor } from '../../../src/lib/secrets/redact.ts'
import { openOutputs, outputsNote } from '../../../src/run/record/openOutputs.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'

describe('proposed outputs', () => {
  const comment = (body: string) => ({ kind: 'comment', body }) as const
  const open = (file: string, settings: Parameters<typeof openOutputs>[0]['settings']) =>
    openOutputs({ file, settings, redactor: createRedactor({ secrets: [{ name: 'KEY', value: 'Zq7-Kp2_vN4xW9tR' }] }) })
  const lines = (file: string) =>
    readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))

  it('are written one by one, without secrets, for their owner alone; what the policy refuses is not', () => {
    const file = join(makeFolder(), 'o.jsonl')
    const { propose, finish } = open(file, { comment: { max: 2 } })
    expect(propose({ kind: 'issue', title: 't', body: 'b' })).toContain('outputs.issue')
    expect(existsSync(file)).toBe(false)
    expect([propose(comment('one Zq7-Kp2_vN4xW9tR')), propose(comment('two'))]).toEqual([undefined, undefined])
    expect(propose(comment('three'))).toContain('max is 2')
    finish({ patch: 'p' }, 'b'.repeat(40))
    expect(lines(file)).toEqual([
      { v: 1, output: { kind: 'comment', body: 'one [REDACTED:KEY]' } },
      { v: 1, output: { kind: 'comment', body: 'two' } },
    ])
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  it.each([
    ['a pull request', { kind: 'pull_request', title: 't', body: 'b' }, 'a patch', 'b'.repeat(40), true],
    ['a patch', { kind: 'patch', title: 't' }, 'a patch', 'b'.repeat(40), true],
    ['a patch without changes', { kind: 'patch', title: 't' }, null, 'b'.repeat(40), false],
    ['a patch of no commit', { kind: 'patch', title: 't' }, 'a patch', null, false],
    ['a comment', { kind: 'comment', body: 'b' }, 'a patch', 'b'.repeat(40), false],
  ] as const)('%s: the changes follow', (_, output, patch, base, isFollowed) => {
    const file = join(makeFolder(), 'o.jsonl')
    const { propose, finish } = open(file, { comment: { max: 1 }, pull_request: { max: 1 }, patch: { max: 1 } })
    propose(comment('first'))
    propose(output)
    finish({ patch }, base)
    const follows = lines(file).filter(({ kind }) => kind === 'diff')
    expect(follows).toEqual(isFollowed ? [{ v: 1, kind: 'diff', base, patch }] : [])
  })

  it('never into what is there already', () => {
    const folder = makeFolder()
    symlinkSync('elsewhere', join(folder, 'o.jsonl'))
    const { propose } = open(join(folder, 'o.jsonl'), { comment: { max: 1 } })
    expect(() => propose(comment('x'))).toThrow(
      expect.objectContaining({
        reason: 'io_error',
        message: expect.stringMatching(/^the outputs \S+o\.jsonl cannot be written: .*EEXIST/),
        cause: expect.objectContaining({ code: 'EEXIST' }),
      }),
    )
    expect(existsSync(join(folder, 'elsewhere'))).toBe(false)
  })

  it('are told the agent', () => {
    expect(outputsNote({})).toBe('')
    expect(
      outputsNote({
        ...{ comment: { max: 2, target: '*' }, issue: { max: 1 }, review_comment: { max: 3, target: '7' } },
        ...{ label: { max: 1, allow: ['bug', 'ci/*'] }, pull_request: { max: 1, target: '*' } },
      } as never),
    ).toBe(
      [
        'You may propose these outputs with ProposeOutput; a later step applies them:',
        '- comment: at most 2, on any',
        '- issue: at most 1',
        '- review_comment: at most 3, on #7',
        '- label: at most 1, only bug, ci/*',
        '- pull_request: at most 1',
      ].join('\n'),
    )
  })
})
