import { expect, test } from 'vitest'
import { commandWords } from '../../src/hooks/commandWords.ts'

const KNOWN = { HOME: '/home/ci', CLAUDE_PROJECT_DIR: '/work dir' }

test.each<[string, readonly string[] | undefined]>([
  ['jq .', ['jq', '.']],
  ['"$CLAUDE_PROJECT_DIR"/.claude/hooks/guard.sh', ['/work dir/.claude/hooks/guard.sh']],
  ['"${CLAUDE_PROJECT_DIR}/guard.sh" --strict', ['/work dir/guard.sh', '--strict']],
  ['~/bin/guard', ['/home/ci/bin/guard']],
  ["'/opt/my guard'/run", ['/opt/my guard/run']],
  ['/opt/my\\ guard', ['/opt/my guard']],
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
