import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { CommandLink } from '../../src/contracts/subject.ts'
import { analyzeCommand } from '../../src/shell/analyzeCommand.ts'
import { judgeCommand, type TestRules } from '../helpers/judgeCommand.ts'
import { generateCommand } from '../helpers/oracle/generateCommand.ts'
import { ORACLE_RULES } from '../helpers/oracle/judgeRun.ts'
import { createRandom } from '../helpers/oracle/random.ts'
import { shellContext } from '../helpers/shellContext.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'kode-run-analyze-')))
mkdirSync(join(root, 'sub'))
symlinkSync('/etc', join(root, 'outside'))
const context = shellContext(root, '/home/me')
afterAll(() => rmSync(root, { recursive: true, force: true }))

const analyze = (text: string) => analyzeCommand(text, context)
const verdict = (text: string, rules: TestRules) => judgeCommand(analyze(text), rules, root)

function chain(text: string): readonly CommandLink[] {
  return analyze(text).subjects.flatMap((subject) => (subject.kind === 'command' ? subject.chain : []))
}

/** `cover: words` for each link. */
function links(text: string): string[] {
  return chain(text).map(
    ({ cover, argv }) => `${cover}: ${argv.map((word) => (word.kind === 'dynamic' ? '?' : word.value)).join(' ')}`,
  )
}

function paths(text: string): string[] {
  return analyze(text).subjects.flatMap((subject) =>
    subject.kind === 'path'
      ? [`${subject.source} ${subject.access} ${(subject.glob ?? subject.path.lexical).replace(root, '')}`]
      : [],
  )
}

describe('canonical text is judged as what it stands for', () => {
  test.each([
    "xargs run <<-'E'\n\ta\n\tE",
    "xargs run <<'E'\n a b\nE",
    "xargs run <<< 'a b'",
    "xargs run <<'E'\na $(x) `y` ~ 'z'\nE",
    'echo a | xargs run',
  ])('%s', (text) => {
    const first = analyze(text)
    const commands = ({ subjects }: typeof first) =>
      subjects.flatMap((each) => (each.kind === 'command' ? each.chain.map(({ argv }) => argv) : []))
    const again = analyze(first.canonical ?? '')
    expect(again.canonical).toBe(first.canonical)
    expect(commands(again)).toEqual(commands(first))
  })
})

describe('canonical text', () => {
  test.each([
    ['ls -la "a b"', "'ls' '-la' 'a b'"],
    ["echo it\\'s", "'echo' 'it'\\''s'"],
    ['echo "$x" *.ts', `'echo' "\${x}" *'.ts'`],
    ['a && b || c; d &', "'a' && 'b' || 'c'\n'd' &"],
    ['a | b |& c', "'a' | 'b' |& 'c'"],
    ['! time -p a', "! time -p 'a'"],
    ['a 2>&1 >/dev/null', "'a' 2>&1 >'/dev/null'"],
    ["cat <<'E'\nx\ny\nE", "'cat' <<<'x\ny'"],
    ['cat <<-E\n\tx\n\tE', "'cat' <<<'x'"],
    ['(a; b)', "(\n'a'\n'b'\n)"],
    ['CI=1 a', "CI='1' 'a'"],
    ['ls ~/x', "'ls' '/home/me/x'"],
    [`git commit -m "$(cat <<'E'\nfix: it's\n\nbody\nE\n)"`, "'git' 'commit' '-m' 'fix: it'\\''s\n\nbody'"],
    ['cp * src', "'cp' ./* 'src'"],
    ['rm -f ?x a*', "'rm' '-f' ./?'x' 'a'*"],
    ['cat *', "'cat' *"],
  ])('%s', (text, canonical) => {
    expect(analyze(text).canonical).toBe(canonical)
  })

  test('has absolute targets', () => {
    expect(analyze('cd sub && a > x').canonical).toBe(`'cd' 'sub' && 'a' >'${root}/sub/x'`)
  })

  test.each([
    'x=1',
    'a $(b)',
    'a <(b)# c',
    'a <(b)#\ntouch c',
    'a <(b)c',
    'a c<(b)',
    'for f in <(a)b; do c; done',
    'case a in a) b;; esac',
    'a;;',
    '',
    '# only a comment',
    'f() { a; }',
    'a > "$x"',
  ])('is missing for %j', (text) => {
    expect(analyze(text).canonical).toBeNull()
    expect(analyze(text).subjects.some((subject) => subject.kind === 'opaque')).toBe(true)
  })
})

describe('chains', () => {
  test.each([
    ['timeout 5 git diff', ['free: timeout 5 git diff', 'prefix: git diff']],
    [
      'timeout --foo 5 git diff',
      ['exact: timeout --foo 5 git diff', 'free: --foo 5 git diff', 'free: 5 git diff', 'free: git diff', 'free: diff'],
    ],
    ['nice -n 5 nohup a b', ['free: nice -n 5 nohup a b', 'free: nohup a b', 'prefix: a b']],
    ['sudo -u me a', ['exact: sudo -u me a', 'free: a']],
    ['env A=b a', ['exact: env A=b a', 'free: a']],
    ['xargs grep x', ['free: xargs grep x', 'prefix: grep x **']],
    ['xargs sort', ['free: xargs sort', 'exact: sort **']],
    ["bash -c 'a; b'", ['exact: bash -c a; b', 'free: a', 'free: b']],
    ['find . -exec rm {} +', ['prefix: find . -exec rm {} +', 'prefix: rm ./**']],
    ['find . -exec a \\; -delete', ['exact: find . -exec a ; -delete', 'free: a']],
    ['find . -exec a \\; -exec b \\;', ['exact: find . -exec a ; -exec b ;', 'free: a', 'free: b']],
    ['xargs -I{} a {} b', ['free: xargs -I{} a {} b', 'prefix: a ? b']],
    ['xargs -I {} {} b', ['exact: xargs -I {} {} b', 'free: -I {} {} b', 'free: {} {} b', 'free: {} b', 'free: b']],
    ['time -p a', ['prefix: a']],
    ['cd sub', ['free: cd sub']],
    ['cd ..', ['exact: cd ..']],
    ['cd outside', ['exact: cd outside']],
    ['cd "$x"', ['exact: cd ?']],
    ['command -v a', ['free: command -v a']],
    ['FOO=1 a', ['never: a']],
    ['NODE_ENV=x a', ['prefix: a']],
    ['git -c a=b status', ['exact: git -c a=b status']],
    ['cd sub && git status', ['free: cd sub', 'never: git status']],
    ['for f in a b; do x $f; done', ['prefix: x a', 'prefix: x b']],
    ['for f in *.ts; do x "$f"; done', ['prefix: x ?']],
    ['for f in a; do read f; x "$f"; done', ['exact: read f', 'prefix: x ?']],
    ['echo "$(a b)"', ['prefix: a b', 'prefix: echo ?']],
  ])('%s', (text, expected) => {
    expect(links(text)).toEqual(expected)
  })

  test('a dynamic name is opaque', () => {
    expect(analyze('"$x" a').subjects[0]).toMatchObject({ kind: 'opaque' })
  })
})

describe('paths', () => {
  test.each([
    ['a > x', ['redirect write /x']],
    ['a < x', ['redirect read /x']],
    ['a <> x', ['redirect read /x', 'redirect write /x']],
    ['a > /dev/null 2>&1', []],
    ['cat x y', ['operand read /x', 'operand read /y']],
    ['cat src/*.ts', ['operand read /src/*.ts']],
    ['cat "$X"', ['operand read **']],
    ['cat "$X/.env"', ['operand read **/.env']],
    ['cat "a$X/b/.env"', ['operand read /a**/b/.env', 'operand read **']],
    ['cat src/../conf/p*/key', ['operand read /conf/p*/key']],
    ['cat ./c*/./key', ['operand read /c*/./key']],
    ['grep pattern x', ['operand read /x']],
    ['grep -e pattern x', ['operand read /pattern', 'operand read /x']],
    ['cp a b', ['operand read /a', 'operand write /b', 'operand write /b/a']],
    ['mv a b', ['operand read /a', 'operand write /a', 'operand write /b', 'operand write /b/a']],
    ['a | tee x', ['redirect write /x']],
    ['a | tee -', ['redirect write /-']],
    ['cd sub && cat x', ['operand read /sub/x']],
    ["cat '~/x'", ['operand read /~/x']],
    ["a > '~'", ['redirect write /~']],
    ["bash -c 'a > x'", ['operand write /x']],
    ['case a in a) b > x;; esac', ['operand write /x']],
    ['git config --list', ['operand read /.git/config']],
    ['git config --get http.https://github.com/.extraheader', ['operand read /.git/config']],
    ['git config --get user.name', []],
    ['git show HEAD:a/b', ['operand read /a/b']],
    ['git rm -r a', ['operand write /a']],
    ['git rm -r :', ['operand write ']],
    ["frob 'a b/../c/k'", ['operand read /c/k']],
    ["frob 'see c/k'", []],
    [
      'split a .npmr',
      [
        'operand read /a',
        'operand write /a',
        'operand read /.npmr',
        'operand write /.npmr',
        'operand write /a*',
        'operand write /.npmr*',
      ],
    ],
    ['cargo vendor ci', ['operand read /vendor', 'operand read /ci', 'operand write /vendor', 'operand write /ci']],
    ['uv venv ci', ['operand read /venv', 'operand read /ci', 'operand write /venv', 'operand write /ci']],
    ['git restore -s HEAD :', ['operand write /HEAD', 'operand write ']],
    ['git ls-files -o -X a', ['operand read /a']],
    ['git clone git://h/x', ['operand write /x']],
    ["git clone 'git://h/ x'", ['operand write **']],
    ["git clone 'git://h/x\t'", ['operand write **']],
    [
      'cp -t out a b',
      ['operand read /a', 'operand read /b', 'operand write /out', 'operand write /out/a', 'operand write /out/b'],
    ],
    [
      'cp -Sat a b',
      [
        ...['operand read /a', 'operand write /b', 'operand write /b/a', 'operand write /b'],
        ...['operand write /bat', 'operand write /b/aat', 'operand read /at', 'operand read /t'],
      ],
    ],
    ['ls', ['operand read ']],
    ['grep -r a', ['operand read ']],
    ['grep a', []],
    ['find -name x', ['operand read ']],
    ['find src lib -name x', ['operand read /src', 'operand read /lib']],
    ['frob -n a/b --in=c', ['operand read /a/b', 'operand read /c']],
    ['npm run a --file=x.json', ['operand read /x.json']],
    ['docker run -v conf:/x y', ['operand read /conf:/x', 'operand read /conf', 'operand read /x']],
    ['echo a/b', []],
    ['cat <(a)', []],
    ['for f in src/*.ts a; do cat "$f"; done', ['operand read /src/*.ts', 'operand read /a']],
    ['sed -i s/a/b/ x', ['redirect write /x']],
    ['cat "$X.pem"', ['operand read **.pem']],
  ])('%s', (text, expected) => {
    expect(paths(text)).toEqual(expected)
  })
})

describe('reading only', () => {
  test.each([
    'ls',
    'cat a | head -3',
    'git status && git diff',
    'cd sub && ls',
    'grep -rn x . 2>/dev/null',
    'timeout 5 git log',
    'find . -name x | xargs grep y',
    'find . -exec grep y {} +',
    '[ -n "$x" ] && ls',
  ])('yes: %s', (text) => expect(analyze(text).isReadOnly).toBe(true))
  test.each([
    'touch a',
    'ls > a',
    'git commit -m x',
    'find . -delete',
    'sort -o a b',
    'git branch new',
    'ls; rm a',
    'FOO=1 ls',
    'echo "$(rm a)"',
    'x=1',
    'sudo ls',
    'bash -c ls',
    './ls',
    '/usr/lib/git-core/git-log',
    'find . -exec touch a \\;',
    'sed -i s/a/b/ x',
    'git stage a',
  ])('no: %s', (text) => expect(analyze(text).isReadOnly).toBe(false))
})

describe('limits: never allowed, at once', () => {
  const all: TestRules = { allow: ['*', 'echo:*'], edit: ['.'] }
  test.each([
    ['10,001 characters', `echo ${'a'.repeat(9996)}`],
    ['a NUL', 'echo \0'],
    ['a lone surrogate', 'echo \ud800'],
    ['deep substitutions', `echo ${'"$('.repeat(2000)}echo${')"'.repeat(2000)}`],
    ['deep groups', `${'('.repeat(4000)}echo${')'.repeat(4000)}`],
    ['deep quotes', `echo ${'"$(echo '.repeat(1200)}`],
    ['open braces', `echo ${'{a,'.repeat(3000)}`],
    ['deep conditions', `${'if '.repeat(3000)}true`],
    ['deep arithmetic', `echo $((${'('.repeat(4000)}1`],
    ['deep scripts', `${"bash -c 'eval ".repeat(500)}`],
    ['moves of many places', `${'mv a b; '.repeat(1200)}frob > x`],
    ['wrappers around wrappers', `${'timeout 5 '.repeat(900)}echo`],
  ])('%s', (_name, text) => {
    expect(verdict(text, all)).not.toBe('allow')
  })

  test('nested loops stay cheap', () => {
    const loop = 'for a in 1 2 3 4 5 6 7 8 9; do '
    expect(analyze(`${loop.repeat(40)}echo "$a"${'; done'.repeat(40)}`).subjects.length).toBeLessThan(200)
    expect(analyze(`${'while true; do cd sub; '.repeat(100)}true${'; done'.repeat(100)}`).canonical).not.toBeNull()
  })

  test('a denied command behind 400 others is denied', () => {
    const text = `${'echo a; '.repeat(399)}rm x`
    expect(verdict(text, { allow: ['*'], deny: ['rm:*'] })).toBe('deny')
    expect(verdict(`${'echo a; '.repeat(4000)}rm x`, { allow: ['*'], deny: ['rm:*'] })).toBe('deny')
    expect(verdict(text, { allow: ['echo:*', 'rm:*'] })).toBe('allow')
  })
})

test('a deny more never allows, an allow less neither', () => {
  const random = createRandom(3)
  const RANK = { deny: 0, ask: 1, allow: 2 }
  const spare = ['run:*', 'echo:*', 'touch:*', 'cat a', '* a', 'cat *', 'git:*', 'sub:*', 'sort:*']
  for (let round = 0; round < 2000; round += 1) {
    const text = generateCommand(random)
    const analysis = analyze(text)
    const rules: TestRules = { ...ORACLE_RULES, deny: [random.pick(spare)] }
    const before = RANK[judgeCommand(analysis, rules, root)]
    const denied: TestRules = { ...rules, deny: [...(rules.deny ?? []), random.pick(spare)] }
    expect(RANK[judgeCommand(analysis, denied, root)], text).toBeLessThanOrEqual(before)
    const dropped = random.pick(rules.allow)
    const fewer: TestRules = { ...rules, allow: rules.allow.filter((rule) => rule !== dropped) }
    expect(RANK[judgeCommand(analysis, fewer, root)], text).toBeLessThanOrEqual(before)
  }
})
