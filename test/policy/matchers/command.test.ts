import { describe, expect, test } from 'vitest'
import type { CommandLink, Word } from '../../../src/contracts/subject.ts'
import {
  type CommandSubject,
  isCommandCovered,
  isCommandDenied,
  overridesRule,
} from '../../../src/policy/matchers/command.ts'
import { parseCommandPattern } from '../../../src/policy/matchers/parseCommandPattern.ts'
import { pattern } from '../../helpers/policy/judgeCommand.ts'

const literal = (value: string): Word => ({ kind: 'literal', value })
const DYNAMIC: Word = { kind: 'dynamic' }
const glob = (value: string): Word => ({ kind: 'glob', value })

function link(words: readonly (string | Word)[], rest: Partial<CommandLink> = {}): CommandLink {
  return { argv: words.map((word) => (typeof word === 'string' ? literal(word) : word)), cover: 'wildcard', ...rest }
}

function subject(...chain: CommandLink[]): CommandSubject {
  return { kind: 'command', chain, text: '' }
}

const covers = (rule: string, ...words: (string | Word)[]) => isCommandCovered([pattern(rule)], subject(link(words)))
const denies = (rule: string, ...words: (string | Word)[]) => isCommandDenied(pattern(rule), subject(link(words)))

test('wildcards below folders stay fast', () => {
  const words = Array.from({ length: 5_000 }, () => 'a/a')
  expect(covers('cp a/* a/* a/* b', 'cp', ...words)).toBe(false)
  expect(covers('cp a/* a/* a/* a/a', 'cp', ...words)).toBe(true)
  expect(covers('cp * a/* * a/* * b', 'cp', ...words.slice(0, 250))).toBe(false)
  expect(covers('cp * a/*', 'cp', 'x', ...words)).toBe(false)
})

describe('an allow rule', () => {
  test.each<[string, (string | Word)[], boolean]>([
    // The program is named as written: not by another path, not in other letters.
    ['ls', ['/bin/ls'], false],
    ['ls', ['LS'], false],
    ['./gradlew:*', ['./gradlew', 'test'], true],
    ['*', ['anything'], true],
    // `..` in what a star stands for leads out of the folder.
    ['rm dist/*', ['rm', 'dist/../x'], false],
    ['rm dist/*', ['rm', 'dist/a', '../x'], false],
    ['rm dist/*', ['rm', 'dist/..'], false],
    ['rm dist/*', ['rm', glob('dist/.*/x')], false],
    ['rm dist/*', ['rm', glob('dist/.[.]/x')], false],
    ['rm dist/*', ['rm', 'dist/..x', 'dist/x..'], true],
    ['./scripts/*', ['./scripts/../evil.sh'], false],
    ['./scripts/*', ['./scripts/a.sh', '--all'], true],
    ['cp dist/* ../out/*', ['cp', 'dist/a', '../out/a'], true],
    ['git diff *..*', ['git', 'diff', 'a/x..b'], true],
    // Only a star at the end, or one that the word itself repeats, covers a word that is unknown until run time.
    ['rm dist/*', ['rm', glob('dist/*')], true],
    ['rm dist/*', ['rm', glob('*')], false],
    ['echo:*', ['echo', DYNAMIC], true],
    ['echo x', ['echo', DYNAMIC], false],
    ['npm test:*', ['npm', DYNAMIC], false],
    ['npm *st', ['npm', DYNAMIC], false],
    ['cat ~/notes', ['cat', { kind: 'literal', value: '/home/a/notes', written: '~/notes' }], true],
    // A star at the end stands for whole further words, and `git diff *` also for none.
    ['git diff:*', ['git', 'diff'], true],
    ['git diff *', ['git', 'diff', '--stat'], true],
    ['git diff *', ['git', 'diff'], true],
    ['git diff:*', ['git', 'difftool'], false],
    ['git push --dry-run *', ['git', 'push', '--dry-run', 'origin'], true],
    ['git push --dry-run *', ['git', 'push', '--dry-run', '--no-dry-run'], false],
    ['git * --dry-run *', ['git', 'push', '--dry-run', '--no-dry-run'], false],
    ['git diff:*', ['git', 'diff x'], false],
    ['git diff:*', ['git diff'], false],
    ['git diff:*', ['git'], false],
    ['npm run test:*', ['npm', 'run', 'test:unit'], false],
    ['npm run test*', ['npm', 'run', 'test:unit'], true],
    ['npm run test', ['npm', 'run', 'test'], true],
    ['npm run test', ['npm', 'run', 'test', 'x'], false],
    ['git status:*', ['git', '--no-pager', 'status'], true],
    ['git status:*', ['git', '-c', 'a=b', 'status'], false],
    // Quotes and backslashes make one word, or a plain star.
    ['git commit -m "a b"', ['git', 'commit', '-m', 'a b'], true],
    ['git commit -m "a b"', ['git', 'commit', '-m', 'a', 'b'], false],
    ["echo 'it is'", ['echo', 'it is'], true],
    ['echo a\\ b', ['echo', 'a b'], true],
    ['echo ""', ['echo', ''], true],
    ['echo \\*', ['echo', '*'], true],
    ['echo \\*', ['echo', 'a'], false],
    // A star between words stands for one or more of them.
    ['git * main', ['git', 'push', 'origin', 'main'], true],
    ['git * main', ['git', 'push', 'a main'], false],
    ['git * main', ['git', 'main'], false],
    ['* --version', ['node', '--version'], true],
    ['* --version', ['node', '-e', 'x --version'], false],
    ['git push * main *', ['git', 'push', 'origin', 'main'], true],
    ['git push * main *', ['git', 'push', 'origin', 'main', '-f'], true],
    ['git push * main *', ['git', 'push', 'origin', 'maintenance'], false],
    // A star inside a word stands for its rest and for further words that match, never for options or other places.
    ['rm dist/*', ['rm', 'dist/a', 'dist/b/c'], true],
    ['rm dist/*', ['rm', 'dist/a', 'src'], false],
    ['rm dist/*', ['rm', 'dist/a', '--', 'src'], false],
    ['rm dist/*', ['rm', 'dist/a', '-r', 'dist/b'], false],
    ['rm dist/*', ['rm', 'dist/a dist/b'], true],
    ['rm dist/* *', ['rm', 'dist/a', 'src'], true],
    ['rm -rf dist/tmp-*', ['rm', '-rf', 'dist/tmp-1', 'src'], false],
    ['cat src/*.txt', ['cat', 'src/a.txt', 'secret', 'x.txt'], false],
    ['cat src/*.txt', ['cat', 'src/a.txt', 'src/b.txt'], true],
    ['cp src/* dist/', ['cp', 'src/a', 'src/b', 'dist/'], true],
    ['cp src/* dist/', ['cp', 'src/a', 'secret', 'dist/'], false],
    ['git push origin feature/*', ['git', 'push', 'origin', 'feature/a'], true],
    ['git push origin feature/*', ['git', 'push', 'origin', 'feature/a', '--mirror'], false],
    ['git push origin feature/*', ['git', 'push', 'origin', 'feature/a', '+main'], false],
    ['git * feature/*', ['git', 'push', 'origin', 'feature/a'], true],
    ['git * feature/*', ['git', 'push', 'origin', 'feature/a', 'main'], false],
    ['cp a/* b/* c/', ['cp', 'a/1', 'a/2', 'b/3', 'c/'], true],
    ['cp a/* b/* c/', ['cp', 'a/1', 'b/3', 'a/2', 'c/'], false],
    ['cp * a/* *', ['cp', '-v', 'x', 'a/1', 'a/2', 'y'], true],
    ['cp * a/*', ['cp', 'a/1'], false],
    ['curl https://api.example.com/*', ['curl', 'https://api.example.com/a', 'http://evil/'], false],
    ['rm dist/*', ['rm', 'dist/a/b'], true],
  ])('%s with %j: %s', (rule, words, expected) => {
    expect(covers(rule, ...words)).toBe(expected)
  })

  test('covers a chain of wrappers only link by link', () => {
    const wrapped = subject(link(['timeout', '5', 'npm', 'test'], { cover: 'none' }), link(['npm', 'test']))
    expect(isCommandCovered([pattern('npm test')], wrapped)).toBe(true)
    expect(isCommandCovered([pattern('timeout:*')], wrapped)).toBe(false)
    expect(isCommandCovered([pattern('timeout 5 npm test')], wrapped)).toBe(true)
    expect(isCommandCovered([], subject(link(['cd', 'sub'], { cover: 'none' })))).toBe(true)
  })

  test('that is not exact does not cover a link that needs an exact one, and nothing covers `never`', () => {
    const exact = subject(link(['sort', '-o', 'x'], { cover: 'exact' }))
    expect(isCommandCovered([pattern('sort:*'), pattern('sort *x'), pattern('*')], exact)).toBe(false)
    expect(isCommandCovered([pattern('sort -o x')], exact)).toBe(true)
    const spelled = subject(link(['sort', '-o', 'x', 'y'], { cover: 'exact', spelled: ['-o', 'x'] }))
    expect(isCommandCovered([pattern('sort -o x *')], spelled)).toBe(true)
    expect(isCommandCovered([pattern('sort -o *'), pattern('sort:*')], spelled)).toBe(false)
    const node = subject(link(['node', '-e', 'x'], { cover: 'exact', spelled: ['-e', 'x'], isInterpreter: true }))
    expect(isCommandCovered([pattern('node *')], node)).toBe(true)
    expect(isCommandCovered([pattern('node --test *'), pattern('*')], node)).toBe(false)
    expect(isCommandCovered([pattern('*'), pattern('ls')], subject(link(['ls'], { cover: 'never' })))).toBe(false)
  })
})

describe('a deny rule', () => {
  test.each<[string, (string | Word)[], boolean]>([
    ...[
      ['-fr', 'x'],
      ['-r', '-f', 'x'],
      ['-rfv', 'x'],
      ['x', '-rf'],
      ['--recursive', '--force', 'x'],
      ['-R', '--forc', 'x'],
    ].map((words): [string, string[], boolean] => ['rm -rf *', ['rm', ...words], true]),
    ...[
      ['run', 'deploy'],
      ['run', 'deploy:prod', '--', 'x'],
      ['run', '-s', 'deploy'],
      ['run', '--', 'deploy'],
      ['--loglevel', 'silent', 'run', 'deploy:prod'],
      ['run', '-w', 'x', '-s', 'deploy'],
    ].map((words): [string, string[], boolean] => ['npm run deploy*', ['npm', ...words], true]),
    ['npm run deploy*', ['npm', '-s', 'run', glob('d*')], true],
    ['npm run deploy*', ['npm', 'run', '-s', DYNAMIC], true],
    ['npm run deploy*', ['npm', 'run', '-s', glob('t*')], false],
    ['npm run deploy*', ['npm', 'run', 'test', '--', 'deploy'], false],
    ['npm run deploy*', ['npm', 'run', '-s', '-q', 'build'], false],
    ['npm publish*', ['npm', '--silent', 'publish'], true],
    ['kubectl delete* pod', ['kubectl', '-n', 'x', 'delete', 'pod'], true],
    ['kubectl delete* pod', ['kubectl', '-n', 'x', 'delete', 'pod', 'y'], false],
    ['git push --force*', ['git', 'push', 'origin', 'feat', '--force-with-lease'], true],
    ['git push --force*', ['git', 'push', '-f', 'origin'], true],
    ['git push --force*', ['git', 'push', '--follow-tags', 'origin'], false],
    ['sed -i *', ['sed', '--in-place', 's/a/b/', 'x'], true],
    ['sed -i *', ['sed', '-n', '--in-pl=.x', 's/a/b/', 'x'], true],
    ['sed --in-place *', ['sed', '-ni', 's/a/b/', 'x'], true],
    ['sed -i *', ['sed', '-n', 's/a/b/', 'x'], false],
    ['rm src/*', ['rm', './src/a'], true],
    ['rm src/*', ['rm', 'docs/../src/a'], true],
    ['touch a *', ['touch', './a'], true],
    ['rm src/*', ['rm', './docs/src'], false],
    ['ln -s *', ['ln', '--symbolic', 'a', 'b'], true],
    ['sort -u *', ['sort', '--uniq', 'a'], true],
    ['rm -rf *', ['rm', '-r', 'x'], false],
    ['rm -rf *', ['rm', '-f', 'x'], false],
    ['rm -rf *', ['rm', 'x'], false],
    ['rm -rf src', ['rm', '-fr', 'src'], true],
    ['rm -rf src', ['rm', '-fr', 'dist'], false],
    ['git push --force *', ['git', 'push', 'origin', '--forc'], true],
    ['git push --force *', ['git', 'push', '-f'], true],
    ['git push --force *', ['git', 'push', 'origin', '+main'], true],
    ['git push -f *', ['git', 'push', 'origin', '+a:main'], true],
    ['git push --force *', ['git', 'push', '--mirror', 'origin'], true],
    ['git push --force *', ['git', 'fetch', 'origin', '+main'], false],
    ['git push --force *', ['git', 'push', 'origin', 'main'], false],
    ['git push --force *', ['git', 'fetch', '--force'], false],
    ['git commit --amend *', ['git', 'commit', '-am', 'x'], false],
    ['git commit --amend *', ['git', 'commit', '-m', 'x', '--amend'], true],
    ['npm install -g *', ['npm', 'install', 'x', '--global'], true],
    ['npm install -g *', ['npm', 'install', 'x'], false],
    ['rm:*', ['rm', '-rf', '/'], true],
    ['rm:*', ['/bin/rm', 'x'], true],
    ['rm:*', ['../../bin/rm', 'x'], true],
    ['rm:*', ['RM', 'x'], true],
    ['/bin/rm:*', ['rm', 'x'], true],
    ['rm:*', ['rmdir', 'x'], false],
    ['rm', ['rm', 'x'], false],
    ['git push:*', ['git', 'push'], true],
    ['git push:*', ['git', '-C', 'x', 'push'], true],
    ['git push:*', ['git', '-c', 'a=b', '--no-pager', 'push', 'origin'], true],
    ['git push:*', ['git', '--git-dir=x', 'push'], true],
    ['git push:*', ['git', 'commit', '-m', 'push'], false],
    ['git push *main*', ['git', '-C', 'x', 'push', 'origin', 'main'], true],
    ['git push *main*', ['git', 'push', 'origin', 'dev'], false],
    ['npm publish:*', ['npm', DYNAMIC], true],
    ['npm publish:*', ['npm', 'test', DYNAMIC], false],
    ['npm publish now:*', ['npm', '--tag', 'x', 'publish', '-q', 'now'], true],
    ['npm publish:*', ['npm', glob('pub*')], true],
    ['npm publish:*', ['npm', glob('dist/*')], false],
    ['npm publish:*', ['npm', glob('[p]ublish')], true],
    ['curl *evil*', ['curl', DYNAMIC], true],
    ['curl *evil*', ['curl', 'http://evil.com'], true],
    ['curl *evil*', ['wget', 'http://evil.com'], false],
    ['* --force', ['git', 'push', '--force'], true],
    ['*', ['ls'], true],
  ])('%s with %j: %s', (rule, words, expected) => {
    expect(denies(rule, ...words)).toBe(expected)
  })

  test('checks every link', () => {
    const wrapped = subject(link(['sudo', 'rm', 'x'], { cover: 'exact' }), link(['rm', 'x'], { cover: 'none' }))
    expect(isCommandDenied(pattern('rm:*'), wrapped)).toBe(true)
    expect(isCommandDenied(pattern('sudo:*'), wrapped)).toBe(true)
  })
})

describe('a rule that can match nothing is an error', () => {
  test.each([
    '',
    ' ',
    ':*',
    'npm:* test',
    'command:rm',
    "echo 'open",
    'echo "open',
    'npm test && npm run x',
    'ls | wc',
    'echo a > b',
    'ls 2>/dev/null',
    'FOO=1 npm test',
  ])('%j', (specifier) => {
    expect(parseCommandPattern(specifier)).toHaveProperty('error')
  })
})

test('many wildcards against a long text stay fast', () => {
  const rule = pattern(`a${'*a'.repeat(200)}*b`)
  expect(isCommandDenied(rule, subject(link(['a', 'a'.repeat(100_000)])))).toBe(false)
})

function argvOf(line: string): Word[] {
  return line.split(' ').map((value) => ({ kind: 'literal', value }))
}

describe('an option after those of a rule', () => {
  test.each([
    // The same option the other way round.
    ['make --dry-run', 'make --dry-run --no-dry-run', true],
    ['tool --no-write', 'tool --no-write --write', true],
    // The same option switched off.
    ['helm upgrade --dry-run', 'helm upgrade --dry-run --dry-run=false', true],
    ['tool --check', 'tool --check --check=off x', true],
    // Others pass, and so does what stands behind `--`.
    ['tool --check', 'tool --check --checkall', false],
    ['tool --check', 'tool --check --write', false],
    ['tool --check', 'tool --check -- --no-check', false],
    ['tool run', 'tool run --no-check', false],
    ['tool --a --b', 'tool --a --b --no-b', true],
    ['tool --check', 'tool --check --check=true', false],
    ['tool --check', 'tool --check --check=falsetto', false],
    ['tool --check', 'tool --check --other=false', false],
    // A word is no option.
    ['tool no-check', 'tool no-check --check', false],
    ['tool --check', 'tool --check no-check', false],
    ['tool x--check', 'tool x--check --no-x--check', false],
  ])('%s: %s overrides it: %s', (rule, line, expected) => {
    expect(overridesRule(rule.split(' '), argvOf(line))).toBe(expected)
  })
})
