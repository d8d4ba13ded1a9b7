import { expect, test } from 'vitest'
import { commandWords, shellWords } from '../../src/hooks/commandWords.ts'

const KNOWN = { HOME: '/home/ci', CLAUDE_PROJECT_DIR: '/work dir' }

test('without a home folder, ~ stays', () => {
  expect(commandWords('~/bin/guard', {})).toEqual(['~/bin/guard'])
})

test.each<[string, readonly string[] | undefined]>([
  ['jq .', ['jq', '.']],
  ['  jq .  ', ['jq', '.']],
  ['jq \t . \\\n  x', ['jq', '.', 'x']],
  ['jq a=b x=', ['jq', 'a=b', 'x=']],
  ['A=1 B= jq .', ['jq', '.']],
  ['A=1', undefined],
  ['"$CLAUDE_PROJECT_DIR"/.claude/hooks/guard.sh', ['/work dir/.claude/hooks/guard.sh']],
  ['"${CLAUDE_PROJECT_DIR}/guard.sh" --strict', ['/work dir/guard.sh', '--strict']],
  ['~/bin/guard', ['/home/ci/bin/guard']],
  ['ls ~', ['ls', '/home/ci']],
  ['ls ~other/x a~/b', ['ls', '~other/x', 'a~/b']],
  ["'/opt/my guard'/run", ['/opt/my guard/run']],
  ['/opt/my\\ guard', ['/opt/my guard']],
  ['a\\b \\"c \\\'d', ['ab', '"c', "'d"]],
  [`"it's" 'say "x"' "a"'b'"c"`, ["it's", 'say "x"', 'abc']],
  ['LANG=C python3 guard.py && echo done', ['python3', 'guard.py']],
  ['exec ./guard.sh', ['./guard.sh']],
  ['./guard.sh 2>/dev/null || true', ['./guard.sh', '2']],
  ['./guard.sh "$(cat list)"', ['./guard.sh']],
  ['./guard.sh $OTHER', ['./guard.sh']],
  ['./guard.sh | tee log', ['./guard.sh']],
  ['$GUARD --now', undefined],
  ['input=$(cat); echo "$input"', undefined],
  ['input="$(cat)" && echo', undefined],
  ['if test -f x; then ./x; fi', undefined],
  ['[[ -f x ]] && ./x', undefined],
  ['# check\n./guard.sh', undefined],
  ['guard() { true; }; guard', undefined],
  ['(cd x && ./guard)', undefined],
  ['./hooks/*.sh', undefined],
  ['"unfinished', undefined],
  ['', undefined],
])('%s', (line, expected) => {
  expect(commandWords(line, KNOWN)).toEqual(expected)
})

test.each<[string, readonly (readonly string[])[] | undefined]>([
  // The targets of redirects are words: they may name the checkout.
  ['a b > c < d', [['a', 'b', 'c', 'd']]],
  ["a 'b > c' '>d'", [['a', 'b > c', '>d']]],
  ['a | b && c; d\n(e) & f', [['a'], ['b'], ['c'], ['d'], ['e'], ['f']]],
  ["a 'b;c' ;; ", [['a', 'b;c']]],
  ['', []],
  ['a b~ c/~', [['a', 'b~', 'c/~']]],
  ['a ~/b', undefined],
  ['a $B', undefined],
  ['a *.js', undefined],
  ['if a', undefined],
])('the words of %s', (line, expected) => {
  expect(shellWords(line)).toEqual(expected)
})
