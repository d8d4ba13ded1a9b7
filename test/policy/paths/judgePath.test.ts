import { posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { unfollowed } from '../../../src/files/resolvePath.ts'
import { judgePatch, namesFile, type PatchJudge } from '../../../src/policy/paths/judgePath.ts'
import { isInsideWorkingDirectories } from '../../../src/policy/paths/judgeProtection.ts'
import { policyOf } from '../../helpers/policy/policyCalls.ts'
import { listOf, table } from '../../helpers/table.ts'

const CWD = '/project/part'
const policy = await policyOf(
  { allow: ['Edit(src/**)', 'Edit(./exact.txt)'], ask: ['Edit(asked)'], deny: ['Edit(src/fixed.txt)'] },
  { cwd: CWD },
)
const judge: PatchJudge = { policy, top: '/project', workingDirectories: [CWD], mode: 'default' }

describe('judgePatch', () => {
  // Files of the patch, perhaps with a mode; the mode of the run or `allow` of the output; the beginning of the refusal.
  it.each(table`
    nothing                     |                              |              | it changes nothing
    a covered file of any kind  | src/a, src/a 100755, src/a 000000 |         |
    a link                      | src/a, src/link 120000       |              | "part/src/link" is a link or a submodule (mode 120000)
    a submodule                 | src/sub 160000               |              | "part/src/sub" is a link or a submodule (mode 160000)
    what a rule denies          | src/a, src/fixed.txt         |              | "part/src/fixed.txt" may not be changed: deny Edit(src/fixed.txt) (/etc/kode/policy.yml:1)
    what a rule asks about      | asked                        | acceptEdits  | "part/asked" may not be changed: ask Edit(asked)
    a protected place           | .git/config                  | acceptEdits  | "part/.git/config" may not be changed:
    what nothing covers         | other                        |              | "part/other" is not covered by an Edit rule
    what the mode covers        | other                        | acceptEdits  |
    a file outside              | ../other                     | acceptEdits  | "other" is not covered by an Edit rule
    what only allow names       | other                        | part/*       |
    what only a rule names      | src/a                        | part/other acceptEdits | "part/src/a" is not covered by an \`allow\` of the policy
    what allow names and a rule denies | src/fixed.txt         | **           | "part/src/fixed.txt" may not be changed: deny
  `)('judges %s: %s', (_, names, options, refusal) => {
    const files = listOf(names).map((name) => {
      const [path = '', mode = '100644'] = name.split(' ')
      return { path: posix.join('part', path), mode }
    })
    const words = options.split(' ').filter((word) => word !== '')
    const allow = words.filter((word) => word !== 'acceptEdits')
    const mode = words.includes('acceptEdits') ? 'acceptEdits' : 'default'
    const said = judgePatch(files, { ...judge, mode, ...(allow.length > 0 && { allow }) }) ?? ''
    expect(said.slice(0, refusal === '' ? undefined : refusal.length)).toBe(refusal)
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
  const inside = unfollowed(`${CWD}/a`)
  it.each<[string, object, boolean]>([
    ['in it', {}, true],
    ['in an additional folder', unfollowed('/more/a'), true],
    ['whose name leads out of it', { lexical: '/etc/passwd' }, false],
    ['that is a link out of it', { resolved: '/etc/passwd' }, false],
    ['that the kernel finds outside', { physical: '/etc/passwd' }, false],
    ['beside it, with its name in front', unfollowed(`${CWD}2/a`), false],
    ['that cannot be judged', { problem: 'too many links' }, false],
  ])('a path %s', (_, more, expected) => {
    const settings = { ...policy.settings, additionalDirectories: ['/more'] }
    const path = { ...inside, ...more }
    const subject = { kind: 'path', access: 'write', path, source: 'tool' } as const
    expect(isInsideWorkingDirectories({ ...policy, settings }, subject as never)).toBe(expected)
  })
})
