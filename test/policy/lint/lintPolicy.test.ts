import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { lintPolicy } from '../../../src/policy/lint/lintPolicy.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'
import { policyOf, type RuleLists } from '../../helpers/policy/policyCalls.ts'

async function lint(lists: RuleLists): Promise<readonly string[]> {
  return lintPolicy(await policyOf(lists)).map(({ message }) => message)
}

describe('lintPolicy', () => {
  it.each([
    // Everything: every command, every file, every host.
    ['Bash', /allows every command; only the sandbox and the Edit and Read rules/],
    ['Bash(*)', /allows every command/],
    ['Edit', /allows writing everywhere.*Edit\(\.\/\*\*\)/],
    ['Write', /allows writing everywhere.*Edit\(\.\/\*\*\)/],
    ['MultiEdit', /allows writing everywhere/],
    ['NotebookEdit', /allows writing everywhere/],
    ['Grep', /allows reading everywhere.*Read\(\.\/\*\*\)/],
    ['LS', /allows reading everywhere/],
    ['Read', /allows reading everywhere/],
    ['WebFetch(domain:*)', /any host/],
    ['PowerShell', /allows every command/],
    ['WebFetch', /any host.*WebFetch\(domain:example\.com\)/],
    ['WebFetch(domain:*.com)', /any host/],
    // A rule that says nothing, or not what its author means.
    ['Bash(* --help)', /starts with `\*`/],
    ['Bsh(x)', /unknown tool/],
    ['Bash()', /matches nothing/],
    ['Bash(git:* x)', /only at the end/],
    ['Bash(git* status)', /every other program whose name starts with `git`/],
    ['Bash(git*)', /whose name starts with `git`.*did you mean Bash\(git \*\)/],
    // Commands that need no rule.
    ['Bash(export *)', /never matches and is not needed: export needs no rule/],
    ['Bash(cd *)', /cd needs no rule/],
    ['Bash(set -e)', /set needs no rule/],
    // A prefix does not cover a program that starts another one: that one is judged.
    ['Bash(sh -c *)', /sh is not covered by a prefix: the command it runs is judged/],
    ['Bash(timeout 60 *)', /timeout is not covered by a prefix/],
    ['Bash(/usr/bin/env *)', /never matches \(env changes how its command runs\)/],
    ['Bash(sudo *)', /never matches \(sudo changes how its command runs\)/],
    ['Bash(xargs *)', /not covered by a prefix/],
    ['Bash(env *)', /not covered by a prefix/],
    // A rule that never matches: the words start something, so only the whole command can be allowed.
    ['Bash(node -e *)', /never matches \(.*only a rule that spells out the whole command/],
    ['Bash(source *)', /source runs whatever it is given/],
    ['Bash(python3 -c *)', /never matches \(`-c[^`]*` lets python3/],
    ['Bash(ed *)', /only a rule that spells out the whole command/],
    ['Bash(ldd *)', /only a rule that spells out the whole command/],
    ['Bash(pydoc *)', /only a rule that spells out the whole command/],
    // A colon before the last star ends the words; a port is part of one.
    ['Bash(curl -s localhost:*)', /localhost:8080 does not match.*did you mean Bash\(curl -s localhost:8080\*\)/],
    ['Bash(curl http://127.0.0.1:*)', /http:\/\/127\.0\.0\.1:8080 does not match/],
    // Input that is a program.
    ['Bash(sh)', /sh runs whatever is piped into it/],
    ['Bash(python3 -)', /python3 runs whatever is piped into it/],
    // Programs that run what they are given: shells, interpreters, wrappers, build tools, subcommands.
    ['Bash(bash *)', /bash runs whatever it is given/],
    ['Bash(node:*)', /node runs whatever/],
    ['Bash(npx *)', /npx runs whatever/],
    ['Bash(Rscript *)', /Rscript runs whatever/],
    ['Bash(racket *)', /racket runs whatever/],
    ['Bash(node * --test)', /node runs whatever/],
    ['Bash(npm run *)', /npm run runs whatever/],
    ['Bash(npm install *)', /npm install runs whatever/],
    ['Bash(pnpm dlx *)', /pnpm dlx runs whatever/],
    ['Bash(cargo run *)', /cargo run runs whatever/],
    ['Bash(docker run *)', /docker run runs whatever/],
    ['Bash(sqlite3 *)', /sqlite3 runs whatever/],
    ['Bash(gh api *)', /gh api runs whatever/],
    // Options of the package manager choose what runs, unless `--` precedes them.
    ['Bash(npm test:*)', /--script-shell.*did you mean Bash\(npm test -- \*\)/],
    ['Bash(npm run build *)', /--prefix.*did you mean Bash\(npm run build -- \*\)/],
    // Programs that can do more than the author wants.
    ['Bash(git:*)', /covers push, reset and config/],
    ['Bash(git * main)', /covers push, reset and config.*Bash\(git diff \*\)/],
    ['Bash(gh *)', /whatever the token allows.*Bash\(gh pr view \*\)/],
    ['Bash(cp *)', /cp changes files anywhere.*Edit\(src\/\*\*\)/],
    ['Bash(mv *)', /mv changes files anywhere/],
    ['Bash(ln *)', /ln changes files anywhere/],
    ['Bash(tee *)', /tee changes files anywhere/],
    ['Bash(rm *)', /rm changes files anywhere/],
    ['Bash(rm tmp-*)', /also stands for further words/],
    ['Bash(find *)', /searches the whole machine.*Bash\(find \. \*\)/],
    ['Bash(curl *)', /any host.*WebFetch\(domain:example\.com\)/],
    // Paths: outside the project, at the root of the machine, protected, or a set of characters.
    ['Bash(zsh *)', /zsh /],
    ['Edit({//**,src/**})', /far outside the project/],
    ['Read({/etc,/var}/x)', /two start at the root of the machine/],
    ['Edit(app/[id]/**)', /set of characters.*did you mean Edit\(app\/\\\[id\\\]\/\*\*\)/],
    ['Read([...slug].tsx)', /set of characters/],
    ['Read(//proc/cpuinfo)', /no tool opens/],
    ['Edit(//**)', /far outside the project/],
    ['Read(~/**)', /far outside the project/],
    ['Read(../**)', /far outside the project/],
    ['Read(/etc/hosts)', /one slash starts at the project root.*Read\(\/\/etc\/hosts\)/],
    ['Edit(.github/**)', /does not open \.github\/workflows.*Edit\(\.github\/workflows\/\*\*\)/],
  ])('warns about the allow %s', async (rule, expected) => {
    expect(await lint({ allow: [rule] })).toEqual([expect.stringMatching(expected)])
  })

  it.each([
    ['Bash(rm -rf *)', /another option with the same effect as `-rf`.*Bash\(rm \*\)/],
    ['Bash(git push --force *)', /Bash\(git push \*\)/],
    ['Bash(git push --force*)', /another option with the same effect as `--force\*`.*Bash\(git push \*\)/],
    ['Bash(wget localhost:*)', /`:\*` means further words, so localhost:8080 does not match/],
    ['Bash(git push)', /matches only exactly these words.*Bash\(git push \*\)/],
    ['Read(/etc/**)', /Read\(\/\/etc\/\*\*\)/],
    ['Agent(model:opus*)', /no parameter `model`/],
    ['Agent(run_in_background:true)', /no parameter `run_in_background`/],
    ['Bash(git push .*)', /rules are not regular expressions.*did you mean Bash\(git push \*\)/],
    ['Bash(git push.*)', /rules are not regular expressions.*did you mean Bash\(git push \*\)/],
    ['Bash(git push \\*)', /matches only a literal star.*did you mean Bash\(git push \*\)/],
    ['Bash(git push:)', /only before a final `\*`.*did you mean Bash\(git push:\*\)/],
    ['Bash(npm test|yarn)', /part of its word.*did you mean Bash\(npm test\) and Bash\(yarn\)/],
    ['Read(.env, .env.local)', /one name.*did you mean Read\(\.env\) and Read\(\.env\.local\)/],
    ['Read(docs/a.md,src/a.ts)', /one name.*did you mean Read\(docs\/a\.md\) and Read\(src\/a\.ts\)/],
    ['Edit(.env|.env.local)', /one name.*did you mean Edit\(\.env\) and Edit\(\.env\.local\)/],
    ['Read(secret/ **)', /a space.*did you mean Read\(secret\/\*\*\)/],
    ['WebFetch(domain:evil.*)', /one part of a name.*evil\.co\.uk/],
  ])('warns about the deny %s', async (rule, expected) => {
    expect(await lint({ deny: [rule] })).toEqual([expect.stringMatching(expected)])
  })

  it.each<[RuleLists, RegExp]>([
    [
      { allow: ['Bash(git push origin *)'], deny: ['Bash(git push *)'] },
      /^Bash\(git push origin \*\): has no effect: deny Bash\(git push \*\)/,
    ],
    [{ allow: ['Edit(src/a/**)'], deny: ['Edit(/src/**)'] }, /has no effect: deny Edit/],
    [{ allow: ['Edit(src/a/**)'], ask: ['Edit'] }, /has no effect: ask Edit/],
    [{ allow: ['Read(x)'], deny: ['Read(x)'] }, /has no effect: deny Read\(x\)/],
    [{ allow: ['Read(.env)'], deny: ['Read(**/.env*)'] }, /has no effect: deny Read/],
    [{ allow: ['Edit(docs/*.md)'], deny: ['Read(*.md)'] }, /has no effect: deny Read/],
    [{ ask: ['Edit({a,b}/x)'], deny: ['Edit(x)'] }, /has no effect: deny Edit/],
    [{ allow: ['WebFetch(domain:a.b.com)'], deny: ['WebFetch(domain:*.b.com)'] }, /has no effect: deny WebFetch/],
    [{ allow: ['Agent(x)'], deny: ['Agent(X)'] }, /has no effect: deny Agent/],
    [{ allow: ['Edit(src/a.ts)', 'Edit(src/**)'] }, /^Edit\(src\/a\.ts\): has no effect: Edit\(src\/\*\*\) /],
    [{ allow: ['Edit(./src/**)', 'Edit(src/**)'] }, /^Edit\(src\/\*\*\): has no effect: Edit\(\.\/src/],
    [{ allow: ['Read(src/*.md)', 'Read(src/**)'] }, /^Read\(src\/\*\.md\): has no effect/],
    [{ allow: ['WebFetch(domain:*.b.com)', 'WebFetch(domain:a.b.com)'] }, /^WebFetch\(domain:a.*: has no effect/],
    [{ allow: ['mcp__s__get'], deny: ['mcp__s'] }, /has no effect: deny mcp__s/],
    [{ allow: ['Read(src/**)'], deny: ['Read'] }, /has no effect: deny Read/],
    [{ allow: ['Bash(git log *)', 'Bash(git log -1 *)'] }, /has no effect: Bash\(git log \*\) .* allows it already/],
    [{ deny: ['Bash(curl *)', 'Bash(curl *)'] }, /is a duplicate/],
    [{ allow: ['mcp__s__*', 'mcp__s__*'] }, /is a duplicate/],
    [{ allow: ['mcp__s', 'mcp__s__*'] }, /^mcp__s__\*: has no effect: mcp__s .* allows it already/],
    [{ allow: ['mcp__s__get_x', 'mcp__s__get_*'] }, /^mcp__s__get_x: has no effect: mcp__s__get_\* /],
    [{ allow: ['Edit(./**)', 'Bash(npm test)'] }, /with Bash\(npm test\) this is as good as .* mean Edit\(src\/\*\*\)/],
    [{ allow: ['Edit(**)', 'Bash(git status)', 'Bash(pytest *)'] }, /with Bash\(pytest \*\) this is as good as/],
  ])('finds the rule without effect in %o', async (lists, expected) => {
    expect(await lint(lists)).toEqual([expect.stringMatching(expected)])
  })

  it.each<[RuleLists]>([
    [{ presets: ['read-only'] }],
    [{ presets: ['read-only'], allow: ['Edit(./**)'] }],
    [{ presets: ['read-only'], allow: ['Edit(./**)', 'Bash(awk *)', 'Bash(npm --version)', 'Read(docs/**)'] }],
    [{ allow: ['Read(.env)', 'Read(./**)', 'Edit(.github/workflows/**)', 'Edit(/a/**)'] }],
    [{ allow: ['Edit(src/**)', 'Read(x/[a-z]*.md)', 'Read([Mm]akefile)'], deny: ['Edit(src/*.lock)', 'Read(y)'] }],
    [{ allow: ['WebFetch(domain:*.b.com)'], deny: ['WebFetch(domain:a.b.com)'] }],
    [{ allow: ['Agent(*er)'], deny: ['Agent(reviewer)'] }],
    [
      {
        allow: ['Bash(npm test)', 'Bash(npm run test -- *)', 'Bash(node scripts/x.js *)', 'Edit(src/**)', 'Read(./**)'],
      },
    ],
    [{ deny: ['Bash(git push *)', 'Read(.env*)', 'WebFetch(domain:*.internal)'] }],
    [{ allow: ['Bash(git push *)'], deny: ['Bash(git push origin *)'] }],
    [{ allow: ['Edit(src/**)'], deny: ['Edit(src/gen/**)'] }],
    [{ allow: ['Edit(./**)', 'Bash(git commit *)', 'Bash(git rebase *)'] }],
    [{ allow: ['Bash(cargo test *)', 'Bash(go test *)', 'Bash(find . *)', 'WebFetch(domain:*.example.com)'] }],
    [{ allow: ['Bash(git diff *)', 'Bash(git log *)', 'Edit(.github/workflows/**)', 'Read(//opt/data/**)'] }],
  ])('has no warning for %o', async (lists) => {
    expect(await lint(lists)).toEqual([])
  })

  it('reports a rule that names a folder without /**', async () => {
    const cwd = makeFolder()
    mkdirSync(path.join(cwd, 'src'))
    writeFileSync(path.join(cwd, 'file'), '')
    const about = async (...allow: string[]) =>
      lintPolicy(await policyOf({ allow }, { cwd })).map(({ message }) => message)
    for (const rule of ['Edit(src)', 'Edit(./src)', 'Edit(/src)']) {
      expect(await about(rule)).toEqual([expect.stringMatching(/no file in it.*did you mean Edit\(\S*src\/\*\*\)/)])
    }
    expect(await about('Edit(file)', 'Edit(src/)', 'Read(src/**)')).toEqual([])
  })

  it('names the file and line of the rule', async () => {
    const [finding] = lintPolicy(await policyOf({ allow: ['Bash(npx *)'] }))
    expect(finding).toMatchObject({ file: '/etc/kode/policy.yml', line: 1, level: 'warning' })
    const columns = lintPolicy(await policyOf({ allow: ['Bash(npx *)', 'Bash(git *)', 'Bash(npx *)'] }))
    expect(columns.map(({ column }) => column)).toEqual([38, 52, 66, 66])
    expect(columns[2]?.message).toContain('/etc/kode/policy.yml:1:38 has it too')
  })
})
