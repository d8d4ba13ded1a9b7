import { expect, test } from 'vitest'
import type { Word } from '../../src/contracts/subject.ts'
import { isPlainGitWord } from '../../src/shell/isPlainGitWord.ts'

/** `$` is a word that is known only when it runs, `--x=$` one that starts so; the last of them is asked about. */
function isPlain(text: string): boolean {
  const argv = text.split(' ').map((value): Word => {
    if (value === '*') return { kind: 'glob', value }
    return value.endsWith('$') ? { kind: 'dynamic', prefix: value.slice(0, -1) } : { kind: 'literal', value }
  })
  return isPlainGitWord(
    argv,
    argv.findLastIndex((word) => word.kind !== 'literal'),
  )
}

test.each([
  'git log --since=$',
  'git log --output=$',
  'git log -- $',
  'git diff HEAD -- a $',
  'git add -A -- *',
  'git commit -am $',
  'git commit -s -m $',
  'git commit -m $ -m $',
  'git commit -m x -- $',
  'git commit -m $ -- $',
  'git stash push -u -m $',
  'git blame -- $',
  'git blame HEAD -- $',
  'git log --format=$ -- $',
  'git --no-pager -P log -- $',
  'git diff --stat --end-of-options $',
])('no option, or the one it says: %s', (text) => expect(isPlain(text)).toBe(true))

test.each([
  'git log $',
  'git log --$',
  'git log --outp$',
  'git log -S$',
  'git push -- $',
  'git checkout --end-of-options $',
  'git log --author --end-of-options $',
  'git rev-parse -- $',
  'git blame -- a $',
  'git blame -- *',
  'git commit -am -- $',
  'git commit --author -- $',
  'git commit --author -m $',
  'git commit -m -m $',
  'git merge -s -m $',
  'git tag --no-contains -m $',
  'git restore -s -- $',
  'git grep -e -- $',
  'git grep -nf -- $',
  'git checkout -b -- $',
  'git $ -- $',
  'sort -- $',
])('it may become one: %s', (text) => expect(isPlain(text)).toBe(false))
