import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { CommandLink } from '../../src/contracts/subject.ts'
import { analyzeCommand } from '../../src/shell/analyzeCommand.ts'
import { makeFolder } from '../helpers/makeFolder.ts'
import { judgeCommand, type TestRules } from '../helpers/policy/judgeCommand.ts'
import { shellContext } from '../helpers/policy/shellContext.ts'

const root = makeFolder('kode-run-analyze-')
mkdirSync(join(root, 'sub'))
symlinkSync('/etc', join(root, 'outside'))
symlinkSync('/usr/bin/git', join(root, 'tool'))
const context = shellContext(root, '/home/me')

const analyze = (text: string) => analyzeCommand(text, context)
const verdict = (text: string, rules: TestRules) => judgeCommand(analyze(text), rules, root)

function chain(text: string): readonly CommandLink[] {
  return analyze(text).subjects.flatMap((subject) => (subject.kind === 'command' ? subject.chain : []))
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

// What each line means is in `golden/analysis.txt`. These must never pass for what they are not.
test.each([
  // No parser reads it as bash does.
  ...['a <(b)# c', 'a <(b)c', 'a;;', '', '# only a comment', 'select x in a; do b; done', 'coproc a', 'a {b,$c}'],
  ...['a ~root/x', 'echo ${x@P}', 'echo ${!x}', 'ls() { a; }; cd() { b; }'],
  // Bash runs commands in what it computes with.
  ...['echo $((x + 1))', '[[ $x -gt 1 ]]', "[[ -v 'a[$(b)]' ]]", 'echo ${a[i]}', 'a[$(b)]=1', 'x=$1; echo $((x))'],
  // A script inside a command starts with variables that the line gave it.
  "x='a[$(b)]' bash -c 'echo $((x)); x=1'",
])('%j has no canonical text', (text) => expect(analyze(text).canonical).toBeNull())

test.each(['PATH=x; a', 'export LD_PRELOAD=x; a', 'a > "$x"', 'cd "$x"; a > y'])(
  '%j has one, but no scoped rule covers it',
  (text) => {
    expect(analyze(text).canonical).not.toBeNull()
    expect(verdict(text, { allow: ['*'], edit: ['.'] })).toBe('ask')
  },
)

test.each([
  ...['bash', 'bash -c "$x"', 'eval "$x"', 'bash "$x"', 'bash -c "$x/a.sh"', 'bash "$x/dev/stdin"', '$CMD a'],
  ...['nice eval a', 'find . -exec eval a {} +', '/opt/eval a', 'xargs -I{} {} b', 'shopt -s expand_aliases'],
  // A file that the line itself writes is text of the line.
  ...['. /dev/stdin', 'bash /dev/fd/3'],
  // The output of one program is its own, unless the line gives it the text.
  ...['eval "$(echo a)"', `eval "$('echo' a)"`, 'eval "$(\\printf a)"', 'eval "$(a <<< b)"', 'eval "$(a < <(b))"'],
  ...['eval "$(a | b)"', 'eval "$(a "$(b)")"', 'eval "x$(a)"', 'source <(echo a)', 'eval "$(command echo a)"'],
  ...['eval "$(env printf a)"', 'eval "$(/bin/echo a)"', 'eval "$(timeout 5 a)"', 'eval "$(a $X)"', 'eval "$(X=1 a)"'],
])('%s runs commands that no word shows', (text) => {
  expect(chain(text).some(({ isUnseen, cover }) => isUnseen && cover !== 'wildcard')).toBe(true)
})

test('has absolute targets if the folder is known', () => {
  expect(analyze('cd sub && a > x').canonical).toBe(`'cd' 'sub' && 'a' >'${root}/sub/x'`)
  expect(analyze('f() { cd sub; }; f; a > x').canonical).toContain("'a' >'x'")
  expect(analyzeCommand('a > x', { ...context, cwd: '/', root: '/' }).canonical).toBe("'a' >'/x'")
})

test('a link out of the project needs a rule for `cd`', () => {
  expect(chain('cd outside')).toMatchObject([{ cover: 'wildcard' }])
  expect(chain('cd sub')).toMatchObject([{ cover: 'none' }])
  expect(codes('a > outside/../x')).toEqual(['redirect'])
})

test('a link to a program is that program, too', () => {
  expect(verdict('./tool push', { allow: ['./tool *'], deny: ['git push *'] })).toBe('deny')
  expect(verdict('./tool push', { allow: ['./tool *'], deny: ['tool push *'] })).toBe('deny')
  expect(chain('./sub')).toHaveLength(1)
})

test('unjudged commands only serve deny rules', () => {
  expect(verdict('select x in a; do touch b; done', { allow: ['*'], deny: ['touch:*'] })).toBe('deny')
  expect(verdict("coproc bash -c 'touch b'", { allow: ['*'], deny: ['touch:*'] })).toBe('deny')
  expect(verdict('select x in a; do touch b; done', { allow: ['*'] })).toBe('ask')
})

test('a limit refuses the line quickly', () => {
  const started = performance.now()
  expect(verdict(`echo ${'a'.repeat(10_000)}`, { allow: ['*'] })).toBe('ask')
  expect(verdict(`${'ls; '.repeat(400)} rm x`, { allow: ['*'], deny: ['rm:*'] })).toBe('deny')
  expect(verdict(`${'('.repeat(3000)}`, { allow: ['*'] })).toBe('ask')
  // What is not read any more counts as anything.
  const allow = ['find:*', 'true:*']
  expect(verdict(`find ${'-exec find '.repeat(800)} rm x`, { allow })).toBe('ask')
  expect(verdict(`find . ${'-exec true \\; '.repeat(70)} -exec rm x \\;`, { allow })).toBe('ask')
  expect(verdict(`strace ${'-e a '.repeat(40)} rm x`, { allow: ['*'], deny: ['rm:*'] })).toBe('ask')
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
