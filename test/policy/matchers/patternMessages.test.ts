import { describe, expect, it } from 'vitest'
import { parseDomainPattern } from '../../../src/policy/matchers/domain.ts'
import { parseCommandPattern } from '../../../src/policy/matchers/parseCommandPattern.ts'
import { problemOfPathPattern } from '../../../src/policy/matchers/path.ts'

const EMPTY = 'the specifier is empty; write `Bash` for every command'
const EACH = 'a rule names one command; write a rule for each'
const END = 'the character at its end would be part of the command'
const QUOTES = 'the quotes make it one word; leave them out'
const REGEX = 'regular expressions are not supported; `*` stands for anything'
const START = 'a rule starts with the name of a command'
const DOTS = 'dots are literal; `*` stands for anything'
const simple = (word: string) =>
  `\`${word}\` never matches: a rule names one simple command; redirects are judged by Edit and Read rules`
const late = (word: string) => `\`${word}\` is known only at run time, so no rule can name it`
const inner = (word: string) => `\`${word}\` is not a command; write the command inside it`
const braces = (word: string) => `\`${word}\`: braces are literal; write a rule for each alternative`

describe('what is said of a command', () => {
  it.each<[text: string, error: string, edits?: readonly string[]]>([
    ['', EMPTY],
    [':*', EMPTY],
    ['command:rm', '`command:` is not a part of Bash rules; write the command alone'],
    ['git:* --force', '`:*` has a meaning only at the end; write `*`'],
    ['git:push', '`:` has a meaning only before `*` at the end; write `git push`'],
    ['FOO=1 ls', 'a rule names a command without assignments before it; leave the assignment out'],
    ['"a', 'a quote is not closed'],
    ["git 'a b", 'a quote is not closed'],
    ['if', inner('if')],
    ['[[ a', inner('[[')],
    ['! grep x', inner('!')],
    // More than one simple command.
    ['a; b', EACH, ['a', 'b']],
    ['a & b', simple('&')],
    ['a && b', simple('&&')],
    ['a || b', EACH, ['a', 'b']],
    ['a > x', simple('>')],
    ['a 2>x', simple('2>x')],
    ['a &> x', simple('&>')],
    ['a < x', simple('<')],
    ['ls -l| wc', simple('-l|')],
    // What only the shell makes a word of.
    ['rm $(x)', late('$(x)')],
    ['rm a`x`', late('a`x`')],
    ['rm ${x}', late('${x}')],
    ['rm {a,b}', braces('{a,b}')],
    ['rm a{,b}', braces('a{,b}')],
    ['rm {1..30}', braces('{1..30}')],
    ['rm #x', '`#` starts a comment in bash, so what follows it never matches; quote it if you mean a literal `#`'],
    // Words of habit.
    ['"git push"', QUOTES, ['git push']],
    ['"git push"  *', QUOTES, ['git push  *']],
    ['"git push":*', QUOTES, ['git push:*']],
    ["'a\"b c'", QUOTES, ['a"b c']],
    ['^git push', REGEX, ['git push *']],
    ['^git$', REGEX, ['git *']],
    ['^^git push.*$$/', REGEX, ['git push *']],
    ['/git .*pu$sh/', REGEX, ['git *pu$sh *']],
    ['^a .*b .*', REGEX, ['a *b *']],
    ['$ git push', START, ['git push']],
    ['% x', START, ['x']],
    ['> x', START, ['x']],
    ['-  git  push', START, ['git  push']],
    ['-xy git push', START, ['git push']],
    ['-- git', START, ['git']],
    ['git push …', DOTS, ['git push *']],
    ['git push ...', DOTS, ['git push *']],
    // Lists.
    ['ls|', END, ['ls']],
    ['ls ;', END, ['ls']],
    ['git push *,', END, ['git push *']],
    ['git|ls', EACH, ['git', 'ls']],
    ['git push|git reset', EACH, ['git push', 'git reset']],
    ['git push|git', EACH, ['git push', 'git']],
    ['git a,,git b', EACH, ['git a', 'git b']],
    ['curl *, wget *', EACH, ['curl *', 'wget *']],
    ['x * , y-1 z', EACH, ['x *', 'y-1 z']],
    ['x *|y', EACH, ['x *', 'y']],
  ])('%j', (text, error, edits) => {
    expect(parseCommandPattern(text)).toStrictEqual({ error, ...(edits === undefined ? {} : { edits }) })
  })

  const exact = (...words: string[]) => ({ kind: 'exact', words })
  it.each<[string, object]>([
    ['"git push"x', exact('git pushx')],
    ['"a/b c"', exact('a/b c')],
    ['"git"', exact('git')],
    ['/git x/y', exact('/git', 'x/y')],
    ['/bin/ls x/', exact('/bin/ls', 'x/')],
    ['//git  push//', exact('//git', 'push//')],
    ['x/git push/', exact('x/git', 'push/')],
    ['git push ...x', exact('git', 'push', '...x')],
    ['git push... x', exact('git', 'push...', 'x')],
    ['git …push', exact('git', '…push')],
    ['a b,c', exact('a', 'b,c')],
    ['git a,git b,ls', exact('git', 'a,git', 'b,ls')],
    ['"a",b', exact('a,b')],
    ['a\\,b', exact('a,b')],
    ['a\\', exact('a\\')],
    ['a b-x c', exact('a', 'b-x', 'c')],
    ['git "a\\"b" "c\\$d" "e\\f"', exact('git', 'a"b', 'c$d', 'e\\f')],
    ["git 'a\\b'", exact('git', 'a\\b')],
    ['git "a\\*b" \'c\\*d\'', exact('git', 'a*b', 'c*d')],
    ['echo a;b', exact('echo', 'a;b')],
    ['rm {a', exact('rm', '{a')],
    ['rm \'$(x)\' \\`x "{a,b}"', exact('rm', '$(x)', '`x', '{a,b}')],
    ['grep a|b *', { kind: 'prefix', words: ['grep', 'a|b'] }],
    ['git push *   ', { kind: 'prefix', words: ['git', 'push'] }],
    ['x *|Y', { kind: 'glob', segments: ['x\0', '|Y'], hasOptionalTail: false }],
    ['git push*', { kind: 'glob', segments: ['git\0push', ''], hasOptionalTail: false }],
    ['* --force', { kind: 'glob', segments: ['', '\0--force'], hasOptionalTail: false }],
  ])('nothing: %j', (text, pattern) => {
    expect(parseCommandPattern(text)).toEqual(pattern)
  })
})

describe('what is said of a path', () => {
  const FILLED = 'variables are not expanded; `~/` is the home folder, `//` the root'
  const NAME = 'the quotes would be part of the name; leave them out'
  const ALONE = 'write the path alone, without a parameter name'
  const SLASH = 'a backslash only escapes a wildcard; separate folders with `/`'
  const WINDOWS = 'a Windows path matches nothing here'
  const NOT = 'a pattern with `!` is not supported; put the path without it under `deny`'
  const LONG = 'the pattern is longer than 1024 characters'
  const HOME = 'only `~/` is the home folder; another user’s is written from the root: `//home/name/…`'
  const AFTER = '`..` after a wildcard matches nothing'
  it.each([
    ...[['x'.repeat(1_025), LONG] as const, [`"${'x'.repeat(1_024)}`, LONG] as const],
    ...[['"a b"', NAME] as const, ["'a'", NAME] as const],
    ...[
      '${X}/a',
      'a/$(x)',
      '`x`',
      '$HOME/x',
      '$home',
      'a/$HOME/b',
      'a/$X',
      'a/$X_1/b',
      '$X1',
      '%APPDATA%/x',
      'a/%X%',
    ].map((text) => [text, FILLED] as const),
    ...['file_path:/x', 'notebook_path:x', 'path:x'].map((text) => [text, ALONE] as const),
    ...['a\\b', '\\x', 'a\\\\\\x', '\\.x'].map((text) => [text, SLASH] as const),
    ...['C:\\x', 'c:/x'].map((text) => [text, WINDOWS] as const),
    ...['a/*/../b', '*/..', '../[ab]/..'].map((text) => [text, AFTER] as const),
    ['{,}', 'the braces are empty'] as const,
    ['{1..257}', 'the braces stand for more than 256 patterns'] as const,
    ['{!a,b}', `!a: ${NOT}`] as const,
    ['!a', NOT] as const,
    ['~root/x', HOME] as const,
  ])('%s: %s', (text, message) => expect(problemOfPathPattern(text)).toBe(message))

  it.each([
    ...['x'.repeat(1_024), `  ${'x'.repeat(1_024)}  `, '"a\'', 'x"a"', '"a" b', 'a`b', '{}/x', '{1..256}', 'xpath:y'],
    '1:/x',
    'xC:/y',
    'a~b',
    '~',
    '~/',
    '$1',
    'a/$1',
    'a/$x',
    '%x',
    'a/%1%',
    'a\\\\b',
    'a\\*',
    '../a',
    'a/../*',
    '*..',
    'a b/../c',
  ])('nothing: %s', (text) => expect(problemOfPathPattern(text)).toBeUndefined())
})

describe('what is said of a host', () => {
  const NAMES = 'a WebFetch rule names a host: `WebFetch(domain:example.com)`'
  const ONE = 'one rule names one host; write a rule for each'
  const FOUR = 'an address has four parts, and each `*` stands for one'
  const none = (host: string) => `${JSON.stringify(host)} is not a host name`
  const only = (host: string) => `${none(host)}: a rule has no scheme, port, user or path`
  const rule = (host: string) => `WebFetch(domain:${host})`
  const long = `${'a'.repeat(1_023)},b`
  it.each<[text: string, error: string, edit?: string]>([
    ['example.com', NAMES, rule('example.com')],
    ['https://a.com/x', NAMES, rule('a.com')],
    ['a.com:80', NAMES, rule('a.com')],
    ['ftp://a.*', NAMES, rule('a.*')],
    ['x', NAMES],
    ['a.com x', NAMES],
    ['a/b.c', NAMES],
    ['"a.com"', NAMES],
    ['domain:', none('')],
    ['domain:a..b', none('a..b')],
    ['domain:**', none('**')],
    ['domain:a**b.c', none('a**b.c')],
    ['domain:a!.*', none('a!.*')],
    ['domain:!a.*', none('!a.*')],
    // A star would stand for letters of the encoded name.
    ['domain:é*.com', none('é*.com')],
    ['domain:*é.com', none('*é.com')],
    ['domain:a.com,b.com', ONE, `${rule('a.com')} and ${rule('b.com')}`],
    ['domain:{a,b}.com', ONE, `${rule('a.com')} and ${rule('b.com')}`],
    ['domain:a.com, ,b.com;', ONE, `${rule('a.com')} and ${rule('b.com')}`],
    [`domain:${long}`, none(long)],
    ['domain:https://a.com/x', only('https://a.com/x'), rule('a.com')],
    ['domain:a.com:80', only('a.com:80'), rule('a.com')],
    ['domain:a b', only('a b')],
    ['domain:me@a.com', only('me@a.com')],
    ['domain:x[::1]', only('x[::1]')],
    ['domain:[::1]x', only('[::1]x')],
    ['domain:10.*', FOUR, rule('10.*.*.*')],
    ['domain:10.1*.*', FOUR, rule('10.1*.*.*')],
    ['domain:10.*.*.*.*', FOUR, rule('10.*.*.*')],
  ])('%s', (text, error, edit) => {
    expect(parseDomainPattern(text)).toStrictEqual({ error, ...(edit === undefined ? {} : { edit }) })
  })

  it.each([
    [' domain: example.com ', 'example.com'],
    ['domain:*', '*'],
    ['domain:**.x.org', '*.x.org'],
    ['domain:[::1]', '[::1]'],
    ['domain:10.1.*.*', '10.1.*.*'],
    ['domain:10', '0.0.0.10'],
    ['domain:1*', '1*'],
    ['domain:*.10', '*.10'],
    ['domain:10.a.*', '10.a.*'],
    ['domain:a.10.*', 'a.10.*'],
    ['domain:10.*a.*', '10.*a.*'],
    ['domain:bücher.*', 'xn--bcher-kva.*'],
    ['domain:x_y.*', 'x_y.*'],
    ['domain:UPPER.*', 'upper.*'],
    ['domain:*.com.', '*.com'],
  ])('nothing: %s', (text, host) => {
    expect(parseDomainPattern(text)).toEqual({ host })
  })
})
