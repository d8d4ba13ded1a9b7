import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { CommandLink, Word } from '../../src/contracts/subject.ts'
import { analyzeCommand } from '../../src/shell/analyzeCommand.ts'
import { makeFolder } from '../helpers/makeFolder.ts'
import { judgeCommand, type TestRules } from '../helpers/policy/judgeCommand.ts'
import { shellContext } from '../helpers/policy/shellContext.ts'

const root = makeFolder('kode-run-analyze-', afterAll)
mkdirSync(join(root, 'sub'))
symlinkSync('/etc', join(root, 'outside'))
const context = shellContext(root, '/home/me')

const analyze = (text: string) => analyzeCommand(text, context)
const verdict = (text: string, rules: TestRules) => judgeCommand(analyze(text), rules, root)

function chain(text: string): readonly CommandLink[] {
  return analyze(text).subjects.flatMap((subject) => (subject.kind === 'command' ? subject.chain : []))
}

function shown(word: Word): string {
  if (word.kind === 'literal' || word.kind === 'glob') return word.value
  return `${word.prefix ?? ''}${word.kind === 'many' ? '…' : '?'}`
}

/** `cover: words` for each link; `!` where commands run that no word shows. */
function links(text: string): string[] {
  return chain(text).map(({ cover, argv, isUnseen }) => `${cover}${isUnseen ? '!' : ''}: ${argv.map(shown).join(' ')}`)
}

function paths(text: string): string[] {
  return analyze(text).subjects.flatMap((subject) =>
    subject.kind === 'path' ? [`${subject.source} ${subject.access} ${subject.path.lexical.replace(root, '')}`] : [],
  )
}

function codes(text: string): string[] {
  return analyze(text).subjects.flatMap((subject) =>
    subject.kind === 'opaque' ? [`${subject.reason.code}${subject.isUnseen ? '!' : ''}`] : [],
  )
}

describe('canonical text', () => {
  test.each([
    // Words.
    ['ls -la "a b"', "'ls' '-la' 'a b'"],
    ["echo it\\'s", "'echo' 'it'\\''s'"],
    ['echo "$x" $x *.ts', `'echo' "\${x}" \${x} *'.ts'`],
    ['ls ~/x', "'ls' '/home/me/x'"],
    ['wc -l $(git ls-files)', "'wc' '-l' $( 'git' 'ls-files' )"],
    ['echo ${x:-a} ${f%.ts} ${#f} ${a[0]}', "'echo' ${x:-a} ${f%.ts} ${#f} ${a[0]}"],
    [`git commit -m "$(cat <<'E'\nfix: it's\n\nbody\nE\n)"`, "'git' 'commit' '-m' 'fix: it'\\''s\n\nbody'"],
    // Lists, pipes, groups.
    ['a && b || c; d &', "'a' && 'b' || 'c'\n'd' &"],
    ['a | b |& c', "'a' | 'b' |& 'c'"],
    ['! time -p a', "! time -p 'a'"],
    ['(a; b)', "(\n'a'\n'b'\n)"],
    // Redirects and documents.
    ['a 2>&1 >/dev/null', "'a' 2>&1 >'/dev/null'"],
    ["cat <<'E'\nx\ny\nE", "'cat' <<<'x\ny'"],
    ['cat <<-E\n\tx\n\tE', "'cat' <<<'x'"],
    ['cat <<E\n$x \\$y $(a)\nE', `'cat' <<<"\${x}"' $y '"$( 'a' )"`],
    // Assignments; one that is known stands for its value.
    ['CI=1 a', "CI='1' 'a'"],
    ['x=$(a); b "$x"', "x=$( 'a' )\n'b' \"${x}\""],
    ['x=src; ls $x/a', "x='src'\n'ls' 'src/a'"],
    ['c=git; $c push', "c='git'\n'git' 'push'"],
    ['x=a; x=b; echo $x', "x='a'\nx='b'\n'echo' ${x}"],
    ['export A=1 B', "export A='1' 'B'"],
    ['a=(b "$c"); d "${a[@]}"', `a=('b' "\${c}")\n'd' "\${a[@]}"`],
    // Compound commands.
    ['case $x in a|b*) c;; *) d;; esac', "case ${x} in\n('a' | 'b'*)\n'c'\n;;\n(*)\n'd'\n;;\nesac"],
    ['while read -r l; do a "$l"; done', "while\n'read' '-r' 'l'\ndo\n'a' \"${l}\"\ndone"],
    ['f() { a "$1"; }; f b', "f() {\n'a' \"${1}\"\n}\n'f' 'b'"],
    ['[[ -f $x && $y == *.ts ]]', "[[ -f ${x} && ${y} == *'.ts' ]]"],
    ['i=0; i=$((i + 1)); ((i > 1))', "i='0'\ni=$(( i + 1 ))\n(( i > 1 ))"],
    // Scripts among words.
    ["bash -c 'a; b'", "'bash' '-c' ''\\''a'\\''\n'\\''b'\\'''"],
    ['eval "a b"', "'eval' ''\\''a'\\'' '\\''b'\\'''"],
    ["trap 'rm -f x' EXIT", "'trap' ''\\''rm'\\'' '\\''-f'\\'' '\\''x'\\''' 'EXIT'"],
    // A file that may be called like an option that starts something.
    ['sort *', "'sort' './'*"],
    ['for f in *.x; do sed -n p "$f"; done', "for f in *'.x'\ndo\n'sed' '-n' 'p' '--' \"${f}\"\ndone"],
    ['a | xargs sed -i s/a/b/', "'a' | 'xargs' 'sed' '-i' 's/a/b/' '--'"],
  ])('%s', (text, canonical) => {
    const first = analyze(text)
    expect(first.canonical).toBe(canonical)
    expect(analyze(canonical).canonical).toBe(canonical)
  })

  test('has absolute targets if the folder is known', () => {
    expect(analyze('cd sub && a > x').canonical).toBe(`'cd' 'sub' && 'a' >'${root}/sub/x'`)
    expect(analyze('f() { cd sub; }; f; a > x').canonical).toContain("'a' >'x'")
  })

  test.each([
    ['a <(b)# c', 'hashAfterParenthesis!'],
    ['a <(b)c', 'word'],
    ['a;;', 'syntax!'],
    ['', 'emptyLine!'],
    ['# only a comment', 'noCommand'],
    ['select x in a; do b; done', 'construct'],
    ['coproc a', 'construct'],
    ['a {b,$c}', 'word'],
    ['a ~root/x', 'word'],
    ['echo ${x@P}', 'word!'],
    ['echo ${!x}', 'word!'],
    ['ls() { a; }; cd() { b; }', 'construct'],
    // Bash runs commands in what it computes with.
    ['echo $((x + 1))', 'arithmetic!'],
    ['[[ $x -gt 1 ]]', 'arithmetic!'],
    ["[[ -v 'a[$(b)]' ]]", 'arithmetic!'],
    ['echo ${a[i]}', 'word!'],
    ['a[$(b)]=1', 'arithmetic!'],
    ['x=$1; echo $((x))', 'arithmetic!'],
    // A script inside a command starts with variables that the line gave it.
    ["x='a[$(b)]' bash -c 'echo $((x)); x=1'", 'arithmetic!'],
  ])('is missing for %j', (text, code) => {
    expect(analyze(text).canonical).toBeNull()
    expect(codes(text)[0]).toBe(code)
  })

  test.each([
    ['PATH=x; a', 'variable'],
    ['export LD_PRELOAD=x; a', undefined],
    ['a > "$x"', 'redirect'],
    ['cd "$x"; a > y', 'redirect'],
  ])('exists for %j, which no scoped rule covers', (text, code) => {
    expect(analyze(text).canonical).not.toBeNull()
    expect(codes(text)[0]).toBe(code)
    expect(verdict(text, { allow: ['*'], edit: ['.'] })).toBe('ask')
  })
})

describe('chains', () => {
  test.each([
    // Wrappers.
    ['timeout 5 git diff', ['none: timeout 5 git diff', 'wildcard: git diff']],
    ['nice -n 5 nohup a b', ['none: nice -n 5 nohup a b', 'none: nohup a b', 'wildcard: a b']],
    ['env A=b a', ['none: env A=b a', 'wildcard: a']],
    ['env PATH=b a', ['exact: env PATH=b a', 'none: a']],
    ['exec a', ['none: exec a', 'wildcard: a']],
    ['sudo -u me a', ['exact: sudo -u me a', 'none: a']],
    ['timeout --foo a', ['exact: timeout --foo a', 'none: --foo a', 'none: a']],
    ['xargs grep x', ['none: xargs grep x', 'wildcard: grep x …']],
    ['xargs -I{} a {} b', ['none: xargs -I{} a {} b', 'wildcard: a ? b']],
    ['xargs -a list grep x', ['none: xargs -a list grep x', 'wildcard: grep x …']],
    ['F=*.ts; grep x $F', ['wildcard: grep x …']],
    ['xargs', ['wildcard: xargs']],
    ['find . -exec rm {} +', ['wildcard: find . -exec rm {} +', 'wildcard: rm .?']],
    // Scripts.
    ["bash -c 'a; b'", ['none: bash -c a; b', 'wildcard: a', 'wildcard: b']],
    ["sh -c 'a' _ {}", ['none: sh -c a _ {}', 'wildcard: a']],
    ["bash -lc 'a'", ['exact: bash -lc a', 'none: a']],
    ['bash x.sh', ['wildcard: bash x.sh', 'none: x.sh']],
    ['bash', ['exact!: bash']],
    ['bash -c "$x"', ['exact!: bash -c ?']],
    ['eval "$x"', ['exact!: eval ?']],
    ['. x', ['wildcard: . x', 'none: x']],
    ['source "$x"', ['wildcard: source ?']],
    ['bash "$x"', ['exact!: bash ?']],
    ['bash -c "$x/a.sh"', ['exact!: bash -c ?']],
    ['bash "$x/dev/stdin"', ['exact!: bash ?']],
    ['bash "$x/a.sh" curl b', ['wildcard: bash ? curl b', 'none: curl b', 'none: b']],
    // A file that the line itself writes is text of the line.
    ['. /dev/stdin', ['exact!: . /dev/stdin']],
    ['bash /dev/fd/3', ['exact!: bash /dev/fd/3']],
    // The output of one program is its own, unless the line gives it the text.
    ['eval "$(a -s)"', ['wildcard: a -s', 'exact: eval ?']],
    ['eval $(a 2>/dev/null)', ['wildcard: a', 'exact: eval …']],
    ['source <(a b)', ['wildcard: a b', 'exact: source /dev/fd/?']],
    ['eval "$(echo a)"', ['wildcard: echo a', 'exact!: eval ?']],
    [`eval "$('echo' a)"`, ['wildcard: echo a', 'exact!: eval ?']],
    ['eval "$(\\printf a)"', ['wildcard: printf a', 'exact!: eval ?']],
    ['eval "$(a <<< b)"', ['wildcard: a', 'exact!: eval ?']],
    ['eval "$(a < <(b))"', ['wildcard: b', 'wildcard: a', 'exact!: eval ?']],
    ['eval "$(a | b)"', ['wildcard: a', 'wildcard: b', 'exact!: eval ?']],
    ['eval "$(a "$(b)")"', ['wildcard: b', 'wildcard: a ?', 'exact!: eval ?']],
    ['eval "x$(a)"', ['wildcard: a', 'exact!: eval x?']],
    ['source <(echo a)', ['wildcard: echo a', 'exact!: source /dev/fd/?']],
    // Behind a program, and by a path, `eval` is a program too, not the shell's own.
    ['command eval a', ['none: command eval a', 'none: eval a', 'wildcard: a']],
    ['nice eval a', ['none: nice eval a', 'exact!: eval a']],
    ['find . -exec eval a {} +', ['wildcard: find . -exec eval a {} +', 'exact!: eval a .?']],
    ['/opt/eval a', ['exact!: /opt/eval a']],
    ['$CMD a', ['never!: … a']],
    ['xargs -I{} {} b', ['exact!: xargs -I{} {} b', 'none: -I{} {} b', 'none: {} b', 'none: b']],
    // The shell itself.
    ['cd sub', ['none: cd sub']],
    ['cd ..', ['wildcard: cd ..']],
    ['cd outside', ['wildcard: cd outside']],
    ['cd "$x"', ['wildcard: cd ?']],
    ['command -v a', ['none: command -v a']],
    ['read -r PATH', ['exact: read -r PATH']],
    ['printf -v PATH x', ['exact: printf -v PATH x']],
    ['[ -n "$x" ]', ['none: [ -n ? ]']],
    ['[ $x = a ]', ['exact: [ … = a ]']],
    ['shopt -s expand_aliases', ['exact!: shopt -s expand_aliases']],
    ['shopt -s globstar', ['none: shopt -s globstar']],
    // Assignments before a command.
    ['FOO=1 a', ['wildcard: a']],
    ['PATH=1 a', ['never: a']],
    ['GIT_SSH_COMMAND=x git fetch', ['never: git fetch']],
    ['IFS= read -r x', ['none: read -r x']],
    ['IFS=x a', ['never: a']],
    // Loops.
    ['for f in a b; do x $f; done', ['wildcard: x a', 'wildcard: x b']],
    ['for f in src/*; do x "$f"; done', ['wildcard: x src/?']],
    ['for c in a; do $c b; done', ['never: a b']],
    ['f() { a; }; f b; g', ['wildcard: a', 'none: f b', 'wildcard: g']],
    ['if a; then f() { b; }; fi; f', ['wildcard: a', 'wildcard: b', 'wildcard: f']],
  ])('%s', (text, expected) => {
    expect(links(text)).toEqual(expected)
  })

  test.each(['command echo a', 'env printf a', '/bin/echo a', 'timeout 5 a', 'a $X', 'X=1 a'])(
    'what an eval of "$(%s)" runs is not seen: the line may print its own text',
    (inner) => expect(links(`eval "$(${inner})"`).at(-1)).toBe('exact!: eval ?'),
  )

  test('of unjudged commands only serve deny rules', () => {
    expect(verdict('select x in a; do touch b; done', { allow: ['*'], deny: ['touch:*'] })).toBe('deny')
    expect(verdict("coproc bash -c 'touch b'", { allow: ['*'], deny: ['touch:*'] })).toBe('deny')
    expect(verdict('select x in a; do touch b; done', { allow: ['*'] })).toBe('ask')
  })
})

describe('files', () => {
  test.each([
    ['a > x 2> y', ['redirect write /x', 'redirect write /y']],
    ['a < x', ['operand read /x']],
    ['cat a -n -- -b', ['operand read /a', 'operand read /-b']],
    ['grep -e x a', ['operand read /a']],
    ['grep x a "$b" c*', ['operand read /a']],
    ['sed -i s/a/b/ x', ['operand write /x']],
    ['cp a b c', ['operand read /a', 'operand read /b', 'operand write /c']],
    ['cd sub && rm x', ['operand write /sub/x']],
    ['cd "$y"; rm x', []],
    ['tee -a x', ['operand write /x']],
    ['npm test x', []],
  ])('%s', (text, expected) => {
    expect(paths(text)).toEqual(expected)
  })
})

describe('the effects of a line', () => {
  test.each([
    ['ls | head', true, false],
    ['git log -3', true, true],
    ['timeout 5 git commit', false, true],
    ['ls > x', false, false],
    ['sort -o x a', false, false],
    // What waits, asks the machine or says its version only reads, and what a wrapper starts is looked at by itself.
    ['sleep 0.2; echo done', true, false],
    ['env | sort', true, false],
    ['env A=1 timeout 5 ls', true, false],
    ['env A=1 npm test', false, false],
    ['node --version && which node', true, false],
    ['./node --version', false, false],
    ['node --version x', false, false],
    ['[ -f a ] && uname -a', true, false],
    ['uniq a', true, false],
    ['uniq - out', false, false],
    ['uniq -c -- -a out', false, false],
    ['file -C -m magic', false, false],
    ['tree -R -H . -L 1', false, false],
    ['npm test', false, false],
    ['eval "$x"', false, true],
    ["bash -c 'git status'", true, true],
  ])('%s: reads only: %s, starts git: %s', (text, isReadOnly, startsGit) => {
    expect(analyze(text)).toMatchObject({ isReadOnly, startsGit })
  })
})

test('a limit refuses the line quickly', () => {
  const started = performance.now()
  expect(verdict(`echo ${'a'.repeat(10_000)}`, { allow: ['*'] })).toBe('ask')
  expect(verdict(`${'ls; '.repeat(400)} rm x`, { allow: ['*'], deny: ['rm:*'] })).toBe('deny')
  expect(verdict(`${'('.repeat(3000)}`, { allow: ['*'] })).toBe('ask')
  expect(performance.now() - started).toBeLessThan(5_000)
})

test.each([
  ['cd sub || echo x > ../beside', [], ['redirect']],
  ['cd sub || true && echo x > a', [], ['redirect']],
  ['cd sub && echo x > a', ['redirect write /sub/a'], []],
  ['true || echo x > a', ['redirect write /a'], []],
])('%s: behind `||` nobody knows whether the folder changed', (text, expectedPaths, expectedCodes) => {
  expect([paths(text), codes(text)]).toEqual([expectedPaths, expectedCodes])
})

test('a line is read again when a path in it leads elsewhere by then', () => {
  const resolved = () =>
    analyze('cat moved/a').subjects.flatMap((subject) => (subject.kind === 'path' ? [subject.path.resolved] : []))
  mkdirSync(join(root, 'moved'))
  expect(resolved()).toEqual([join(root, 'moved/a')])
  expect(analyze('cat moved/a')).toBe(analyze('cat moved/a'))
  rmSync(join(root, 'moved'), { recursive: true })
  symlinkSync('/etc', join(root, 'moved'))
  expect(resolved()).toEqual(['/etc/a'])
})

test.each([
  'echo a > /dev/tcp/127.0.0.1/9',
  'cat < /dev/udp/localhost/9',
  'cat <> /dev/tcp',
  'ls >> /dev/../dev/tcp/h/9',
])('%s is a connection, which no rule for files covers', (text) =>
  expect(JSON.stringify(analyze(text))).toContain('"code":"redirect","what":"network"'),
)
