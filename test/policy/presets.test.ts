import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { describe, expect, it, test } from 'vitest'
import { lintPolicy } from '../../src/policy/lint/lintPolicy.ts'
import { loadPolicy } from '../../src/policy/load/loadPolicy.ts'
import { expandPresets, presets, readPreset } from '../../src/policy/presets.ts'
import { analyzeCommand } from '../../src/shell/analyzeCommand.ts'
import { commandLine } from '../helpers/commandLine.ts'
import { judgeCommand } from '../helpers/policy/judgeCommand.ts'
import { policyOf } from '../helpers/policy/policyCalls.ts'
import { shellContext } from '../helpers/policy/shellContext.ts'

describe('presets', () => {
  it('are exactly the files of presets/', () => {
    expect(readdirSync('presets').sort()).toEqual(presets.map((name) => `${name}.yml`).sort())
  })

  it.each(presets)('%s is a policy whose rules are all read, with their places, and whose tests hold', async (name) => {
    const file = `${process.cwd()}/presets/${name}.yml`
    const policy = await loadPolicy({ file, cwd: process.cwd(), home: '/home/nobody' })
    const places = policy.rules.map(({ text, line, column, target }) => ({ text, line, column, target }))
    const expanded = expandPresets([name], [])
    expect(expanded.map(({ text, line, column, target }) => ({ text, line, column, target }))).toEqual(places)
    expect(policy.warnings).toEqual([])
    for (const { text, line } of expanded) expect(readPreset(name).split('\n')[line - 1]).toContain(text)
    const { code, out } = await commandLine(process.cwd(), ['policy', 'test', file])
    expect(code, out).toBe(0)
    expect(out).toMatch(/- .*\n(?:.*\n)*# \d+ passed, 0 failed/)
  })

  it('contain each rule once, and apply project rules to additional directories too', () => {
    const rules = expandPresets(['workspace', 'read-only', 'workspace'], ['/data/[a]'])
    expect(rules.filter(({ text }) => text === 'Read(./**)')).toHaveLength(1)
    const more = rules.filter(({ text }) => text.includes('/data/')).map(({ text, target }) => [text, target])
    expect(more).toEqual([
      ['Read(//data/\\[a\\]/**)', { kind: 'path', access: 'read', pattern: '//data/\\[a\\]/**' }],
      ['Edit(//data/\\[a\\]/**)', { kind: 'path', access: 'write', pattern: '//data/\\[a\\]/**' }],
    ])
  })

  it('cause no warnings, because their rules are visible', async () => {
    expect(lintPolicy(await policyOf({ presets: [...presets] }))).toEqual([])
  })
})

const allow = expandPresets(['read-only'], []).flatMap(({ text }) => /^Bash\((.*)\)$/.exec(text)?.[1] ?? [])
const context = shellContext(tmpdir())
const verdict = (line: string) => judgeCommand(analyzeCommand(line, context), { allow }, context.root)

test.each([
  'npm -v && node -v',
  'egrep -n a x; fgrep a x',
  'od -c x; hexdump -C x; xxd -l 8 x; strings x; zcat x.gz',
  'fold -w 80 x; expand x; unexpand x',
  'nm -C x; readelf -h x; size x',
  'expr 1 + 2; free -m; hostname',
  "git tag -l 'v*' && git tag --list --sort=-v:refname",
  'git tag --points-at HEAD; git reflog -5; git reflog show -3; git version',
  'git check-ignore -v x; git check-attr -a x',
  'git symbolic-ref --short HEAD',
  'git diff-index --quiet HEAD --; git diff-files --name-only',
  'git stash show -p; git stash list --oneline',
  'git branch --merged main; git branch -a --contains HEAD; git branch --no-merged',
  'git branch --sort=-committerdate',
  'git config user.name',
  'git worktree list --porcelain',
])('the preset read-only covers %s', (line) => expect(verdict(line)).toBe('allow'))

test.each([
  'npm -v x',
  'node -v x.js',
  'nm --plugin x y',
  'git tag v1',
  'git tag --points-at HEAD -d v1',
  'git reflog expire --all',
  'git symbolic-ref HEAD refs/heads/x',
  'git symbolic-ref --short HEAD refs/heads/x',
  'git stash',
  'git branch --list --no-list x',
  'git branch --sort=-committerdate x',
  'git branch x',
  'git config user.name x',
  'git config core.pager',
])('the preset read-only does not cover %s', (line) => expect(verdict(line)).toBe('ask'))
