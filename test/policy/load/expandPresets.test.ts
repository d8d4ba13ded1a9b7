import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { expandPresets } from '../../../src/policy/load/expandPresets.ts'
import { analyzeCommand } from '../../../src/shell/analyzeCommand.ts'
import { judgeCommand } from '../../helpers/policy/judgeCommand.ts'
import { shellContext } from '../../helpers/policy/shellContext.ts'

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
