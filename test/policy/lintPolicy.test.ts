import { describe, expect, it } from 'vitest'
import { lintPolicy } from '../../src/policy/lintPolicy.ts'
import { policyOf, type RuleLists } from '../helpers/policyCalls.ts'

async function lint(lists: RuleLists): Promise<readonly string[]> {
  return lintPolicy(await policyOf(lists)).map(({ message }) => message)
}

describe('lintPolicy', () => {
  it.each([
    ['Bash', /allows every command/],
    ['Bash(*)', /allows every command/],
    ['Bash(* --help)', /starts with `\*`/],
    ['Bash(bash *)', /bash runs whatever it is given/],
    ['Bash(sh -c *)', /sh runs whatever/],
    ['Bash(node:*)', /node runs whatever/],
    ['Bash(python3 -c *)', /python3 runs whatever/],
    ['Bash(npx *)', /npx runs whatever/],
    ['Bash(/usr/bin/env *)', /not covered by a prefix/],
    ['Bash(sudo *)', /not covered by a prefix/],
    ['Bash(git:*)', /covers push, reset and config/],
    ['Edit', /allows writing everywhere.*Edit\(\.\/\*\*\)/],
    ['Read', /allows reading everywhere/],
    ['Edit(//**)', /far outside the project/],
    ['Read(~/**)', /far outside the project/],
    ['Read(/etc/hosts)', /one slash starts at the project root.*Read\(\/\/etc\/hosts\)/],
    ['Edit(.github/**)', /does not open \.github\/workflows.*Edit\(\.github\/workflows\/\*\*\)/],
    ['WebFetch(domain:*)', /any host/],
    ['Bsh(x)', /unknown tool/],
    ['Bash()', /matches nothing/],
    ['Bash(git:* x)', /only at the end/],
  ])('remarks on the allow %s', async (rule, expected) => {
    expect(await lint({ allow: [rule] })).toEqual([expect.stringMatching(expected)])
  })

  it.each([
    ['Bash(rm -rf *)', /another spelling of `-rf`.*Bash\(rm \*\)/],
    ['Bash(git push --force *)', /Bash\(git push \*\)/],
    ['Bash(git push)', /only against exactly these words.*Bash\(git push \*\)/],
    ['Read(/etc/**)', /Read\(\/\/etc\/\*\*\)/],
  ])('remarks on the deny %s', async (rule, expected) => {
    expect(await lint({ deny: [rule] })).toEqual([expect.stringMatching(expected)])
  })

  it.each<[RuleLists, RegExp]>([
    [
      { allow: ['Bash(git push origin *)'], deny: ['Bash(git push *)'] },
      /^Bash\(git push origin \*\): has no effect: deny Bash\(git push \*\)/,
    ],
    [{ allow: ['Edit(src/a/**)'], deny: ['Edit(/src/**)'] }, /has no effect: deny Edit/],
    [{ allow: ['Edit(src/a/**)'], ask: ['Edit'] }, /has no effect: ask Edit/],
    [{ allow: ['mcp__s__get'], deny: ['mcp__s'] }, /has no effect: deny mcp__s/],
    [{ allow: ['Read(src/**)'], deny: ['Read'] }, /has no effect: deny Read/],
    [{ allow: ['Bash(npm run *)', 'Bash(npm run test *)'] }, /has no effect: Bash\(npm run \*\) .* allows it already/],
    [{ deny: ['Bash(curl *)', 'Bash(curl *)'] }, /stands twice/],
  ])('finds the rule without effect in %o', async (lists, expected) => {
    expect(await lint(lists)).toEqual([expect.stringMatching(expected)])
  })

  it.each<[RuleLists]>([
    [{ presets: ['read-only'] }],
    [{ allow: ['Bash(npm test)', 'Bash(npm run test:*)', 'Bash(node scripts/x.js *)', 'Edit(src/**)', 'Read(./**)'] }],
    [{ deny: ['Bash(git push *)', 'Read(.env*)', 'WebFetch(domain:*.internal)'] }],
    [{ allow: ['Bash(git push *)'], deny: ['Bash(git push origin *)'] }],
    [{ allow: ['Edit(src/**)'], deny: ['Edit(src/gen/**)'] }],
    [{ allow: ['Bash(git diff *)', 'Bash(git log *)', 'Edit(.github/workflows/**)', 'Read(//opt/data/**)'] }],
  ])('has nothing to say on %o', async (lists) => {
    expect(await lint(lists)).toEqual([])
  })

  it('names the file and line of the rule', async () => {
    const [finding] = lintPolicy(await policyOf({ allow: ['Bash(npx *)'] }))
    expect(finding).toMatchObject({ file: '/etc/kode/policy.yml', line: 1, level: 'warning' })
  })
})
