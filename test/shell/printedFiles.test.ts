import { expect, test } from 'vitest'
import type { FoundFiles } from '../../src/contracts/subject.ts'
import { printedFiles } from '../../src/shell/printedFiles.ts'

const BARE = { starts: ['.'], isBare: true } as const

/** What the last of some commands prints; words are parted by blanks. */
function printed(line: string): FoundFiles | undefined {
  return line.split(' | ').reduce<FoundFiles | undefined>(
    (input, each) =>
      printedFiles(
        each.split(' ').map((value) => ({ kind: 'literal', value })),
        input,
      ),
    undefined,
  )
}

test.each<readonly [string, FoundFiles | undefined]>([
  ['grep -rl x src lib', { starts: ['src', 'lib'] }],
  ['grep -rl x', BARE],
  ['grep -Rl x src', { starts: ['src'], isFollowing: true }],
  ['grep -rlZ --include=*.ts x src', { starts: ['src'], names: ['*.ts'], isPicked: true, isNul: true }],
  ['grep -l x src', undefined],
  ['grep -rL x src', undefined],
  ['grep -rlf list src', undefined],
  ['grep -r x src', undefined],
  ['rg -l x src', { starts: ['src'] }],
  ['rg --files', BARE],
  ['rg --files src -0', { starts: ['src'], isNul: true }],
  ['rg -lL x src', undefined],
  ['rg x src', undefined],
  ['git grep -l x', { ...BARE, isFollowing: true }],
  ['git grep -lz x', undefined],
  ['git grep -l -z x', { ...BARE, isFollowing: true, isNul: true }],
  ['git grep x', undefined],
  ['git -C sub grep -l x', undefined],
  ['git ls-files', undefined],
  ['git ls-files -z', undefined],
  ['git ls-files -z src', { starts: ['src'], isFollowing: true, isNul: true }],
  ['git ls-files -z src/*.ts', { starts: ['src'], names: ['*.ts'], isPicked: true, isFollowing: true, isNul: true }],
  ['git ls-files -z src/*', { starts: ['src'], isFollowing: true, isNul: true }],
  ['git ls-files -z *.ts', undefined],
  ['git ls-files -z :/', undefined],
  ['git ls-files -z --stage src', undefined],
  ['git diff --name-only', undefined],
  ['find src | sort -u | head -n 5 | tail -3 | uniq | cat', { starts: ['src'] }],
  ['find src -print0 | head -n 5', undefined],
  ['find src | head -c 5', undefined],
  ['find src | head -5 x', undefined],
  ['find src | head 5', undefined],
  ['find src | head -n 5 5', undefined],
  ['find src | tail -n +3', { starts: ['src'] }],
  ['find src | tail -n 1 5', undefined],
  ['find src | sort 5', undefined],
  ['find src | uniq 5', undefined],
  ['grep -rl --exclude=x --include=*.ts y src', { starts: ['src'] }],
  ['grep -rl --include=*.ts --exclude-dir=x y src', { starts: ['src'], names: ['*.ts'], isPicked: true }],
  ['printf %s y', undefined],
  ['find src | sort -o x', undefined],
  ['find src | cat -n', undefined],
  ['find src | uniq -c', undefined],
  ['find src | grep -v node_modules', { starts: ['src'], except: ['*node_modules*'] }],
  ['find src | grep -v a | grep -v b', { starts: ['src'], except: ['*a*', '*b*'] }],
  ['find src | grep -vi a', { starts: ['src'] }],
  ['find src | grep -v a.b', { starts: ['src'] }],
  ['find src | grep \\.ts$', { starts: ['src'], names: ['*.ts'], isPicked: true }],
  ['find src | grep -F \\.ts$', { starts: ['src'] }],
  ['find src | grep -v \\.ts$', { starts: ['src'] }],
  ['find src | grep foo', { starts: ['src'] }],
  ['find src | grep -n foo', undefined],
  ['find src | grep -o foo', undefined],
  ['find src | grep foo x', undefined],
  ['find src | tr a b', undefined],
  ['find src | sed s/a/b/', undefined],
  ['echo x a/b', { starts: ['x', 'a/b'], isSpelt: true }],
  ['echo -n .env', { starts: ['.env'], isSpelt: true }],
  ['echo -e x', undefined],
  ['echo', undefined],
  ['echo x\\ty', undefined],
  ["echo 'x'", undefined],
  ['printf %s\\n x y', { starts: ['x', 'y'], isSpelt: true }],
  ['printf %s x', undefined],
  ['printf x%s\\n y', undefined],
  ['echo x | rev', undefined],
])('%s', (line, expected) => {
  expect(printed(line)).toEqual(expected)
})
