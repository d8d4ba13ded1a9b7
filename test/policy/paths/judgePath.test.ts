import { describe, expect, it } from 'vitest'
import { judgePatch, namesFile, type PatchJudge } from '../../../src/policy/paths/judgePath.ts'
import { isInsideWorkingDirectories } from '../../../src/policy/paths/judgeProtection.ts'
import { HOME, policyOf } from '../../helpers/policy/policyCalls.ts'

const CWD = '/project/part'
const policy = await policyOf(
  { allow: ['Edit(src/**)', 'Edit(./exact.txt)'], ask: ['Edit(asked)'], deny: ['Edit(src/fixed.txt)'] },
  { cwd: CWD },
)
const judge: PatchJudge = { policy, home: HOME, top: '/project', workingDirectories: [CWD], mode: 'default' }
const file = (path: string, mode = '100644') => ({ path: `part/${path}`, mode })

describe('judgePatch', () => {
  it.each<[string, ReturnType<typeof file>[], Partial<PatchJudge>, RegExp | undefined]>([
    ['nothing', [], {}, /^it changes nothing$/],
    [
      'files that a rule covers: made, with any mode, or removed',
      ['100644', '100755', '000000'].map((mode) => file('src/a', mode)),
      {},
      undefined,
    ],
    [
      'a link',
      [file('src/a'), file('src/link', '120000')],
      {},
      /^"part\/src\/link" is a link or a submodule \(mode 120000\)$/,
    ],
    ['a submodule', [file('src/sub', '160000')], {}, /is a link or a submodule \(mode 160000\)/],
    [
      'a file that a rule denies',
      [file('src/a'), file('src/fixed.txt')],
      {},
      /^"part\/src\/fixed.txt" may not be changed: deny Edit\(src\/fixed.txt\)/,
    ],
    [
      'a file that a rule asks about',
      [file('asked')],
      { mode: 'acceptEdits' },
      /may not be changed: ask Edit\(asked\)/,
    ],
    ['a protected place', [file('.git/config')], { mode: 'acceptEdits' }, /may not be changed: /],
    ['a file that nothing covers', [file('other')], {}, /^"part\/other" is not covered by an Edit rule$/],
    ['a file that the mode covers', [file('other')], { mode: 'acceptEdits' }, undefined],
    [
      'a file outside, which the mode does not cover',
      [{ path: 'other', mode: '100644' }],
      { mode: 'acceptEdits' },
      /is not covered by an Edit rule/,
    ],
    ['a file that `allow` names, though no rule does', [file('other')], { allow: ['part/*'] }, undefined],
    [
      'a file that `allow` does not name, though a rule does',
      [file('src/a')],
      { allow: ['part/other'], mode: 'acceptEdits' },
      /is not covered by an `allow` of the policy/,
    ],
    [
      'a file that `allow` names and a rule denies',
      [file('src/fixed.txt')],
      { allow: ['**'] },
      /may not be changed: deny/,
    ],
  ])('judges %s', (_, files, more, refusal) => {
    const said = judgePatch(files, { ...judge, ...more })
    if (refusal === undefined) expect(said).toBeUndefined()
    else expect(said).toMatch(refusal)
  })
})

it.each([
  ['exact.txt', true],
  ['src/a', false],
  ['other', false],
])('a rule without a wildcard that allows just %s: %s', (path, isNamed) => {
  expect(namesFile(judge, `${CWD}/${path}`)).toBe(isNamed)
})

describe('isInsideWorkingDirectories', () => {
  const inside = { given: 'a', lexical: `${CWD}/a`, resolved: `${CWD}/a`, physical: `${CWD}/a` }
  it.each<[string, object, boolean]>([
    ['in it', {}, true],
    ['in an additional folder', { lexical: '/more/a', resolved: '/more/a', physical: '/more/a' }, true],
    ['whose name leads out of it', { lexical: '/etc/passwd' }, false],
    ['that is a link out of it', { resolved: '/etc/passwd' }, false],
    ['that the kernel finds outside', { physical: '/etc/passwd' }, false],
    [
      'beside it, with its name in front',
      { lexical: `${CWD}2/a`, resolved: `${CWD}2/a`, physical: `${CWD}2/a` },
      false,
    ],
    ['that cannot be judged', { problem: 'too many links' }, false],
  ])('a path %s', (_, more, expected) => {
    const settings = { ...policy.settings, additionalDirectories: ['/more'] }
    const path = { ...inside, ...more }
    const subject = { kind: 'path', access: 'write', path, source: 'tool' } as const
    expect(isInsideWorkingDirectories({ ...policy, settings }, subject as never)).toBe(expected)
  })
})
