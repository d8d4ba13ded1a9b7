import { describe, expect, it } from 'vitest'
import type { Word } from '../../../src/contracts/subject.ts'
import { type CommandSubject, isCommandCovered, isCommandDenied } from '../../../src/policy/matchers/command.ts'
import { pattern } from '../../helpers/policy/judgeCommand.ts'

/** A word that is known only at run time, but for its start and its end. */
const late = (prefix?: string, suffix?: string): Word => ({
  ...{ kind: 'dynamic', ...(prefix === undefined ? {} : { prefix }), ...(suffix === undefined ? {} : { suffix }) },
})
const many = (prefix?: string): Word => ({ kind: 'many', ...(prefix === undefined ? {} : { prefix }) })
const glob = (value: string): Word => ({ kind: 'glob', value })
const written = (value: string, as: string): Word => ({ kind: 'literal', value, written: as })

function subject(words: readonly (string | Word)[]): CommandSubject {
  const argv = words.map((word): Word => (typeof word === 'string' ? { kind: 'literal', value: word } : word))
  return { kind: 'command', chain: [{ argv, cover: 'wildcard' }], text: '' }
}
type Row = [rule: string, words: readonly (string | Word)[], expected: boolean]

describe('a deny may mean', () => {
  it.each<Row>([
    // One unknown word.
    ['git push *', ['git', late()], true],
    ['git push *', ['git', late('pu')], true],
    ['git push *', ['git', late('pus', 'h')], true],
    ['git push *', ['git', late('x')], false],
    ['git push *', ['git', late('pushx')], false],
    ['git push *', ['git', late(undefined, 'x')], false],
    ['git push *', ['git', late('p', 'xpush')], false],
    ['git push *', ['ls', late()], false],
    ['git push *', [late(), 'push'], true],
    ['git push *', [late(), 'pull'], false],
    ['git push', ['git', late()], true],
    ['git push', ['git', late(), 'origin'], false],
    // Any number of them.
    ['git push *', ['git', many()], true],
    ['git push *', ['git', many('pu')], true],
    ['git push *', ['git', many('x')], false],
    ['git push origin main', ['git', 'push', many()], true],
    // A wildcard of the shell.
    ['git push *', ['git', glob('*')], true],
    ['git push *', ['git', glob('p?s[h]')], true],
    ['git push *', ['git', glob('x*')], false],
    ['git push *', ['git', glob('pu*x')], false],
    ['git push *', [glob('g*'), 'push'], true],
    // A rule with a star in a word.
    ['git pu*sh main', ['git', late('p'), 'main'], true],
    ['git pu*sh main', ['git', late('pux'), 'main'], true],
    // Of a rule and a line that both have gaps, only the ends are compared: a deny rather means too much.
    ['git pu*sh main', ['git', late('x'), 'main'], true],
    ['git pu*sh main', ['git', late('x'), 'dev'], false],
    ['git pu*sh main', ['git', late(undefined, 'xsh'), 'main'], true],
    ['git pu*sh main', ['git', late(undefined, 'h'), 'main'], true],
    ['git * --force', ['git', late(), '--force'], true],
    ['git * --force', ['git', 'push', late()], true],
    ['git * --force', ['git', late(), 'x'], false],
    ['git * --force', ['ls', late(), '--force'], false],
    ['git * main *', ['git', late(), 'x'], true],
    ['git * main *', ['ls', late(), 'x'], false],
    ['g*t push', ['git', late()], true],
    // Options and their values stand between the words.
    ['git push *', ['git', '-C', 'dir', 'push'], true],
    ['git push *', ['git', 'dir', 'push'], false],
    ['git push *', ['git', '-C', 'a', 'b', 'push'], false],
    ['git push *', ['git', '-c', late('x'), 'push'], true],
    ['git push *', ['git', late('x'), 'push'], false],
    ['git push *', ['git', '-c', late('x'), late('x'), 'push'], false],
    ['git push *', ['git', '-c', late('x'), 'a', 'push'], false],
    // The value of an option may be known only in part, and a word that begins like an option may be one.
    ['git push *', ['git', '-C', glob('s*'), 'push'], true],
    ['git push *', ['git', '-C', glob('../s?/'), 'push', 'origin'], true],
    ['git push *', ['git', '-C', glob('s*'), 'pull'], false],
    ['git push *', ['git', '-C', glob('s*'), 'a', 'push'], false],
    ['git push *', ['git', glob('s*'), 'push'], false],
    ['git push *', ['git', glob('-*'), 'push'], true],
    ['git push *', ['git', glob('[-]C'), 's', 'push'], true],
    ['git push *', ['git', '-C', many('s'), 'push'], true],
    ['git push *', ['git', '-C', many('s')], true],
    ['git push *', ['git', many('-c')], true],
    ['git push *', ['git', many('s'), 'push'], false],
    ['git push *', ['git', late('-c'), 'push'], true],
    ['git push *', ['git', late('-c'), 'a=b', 'push'], true],
    ['git push *', ['git', late('-c'), 'a=b', 'pull'], false],
    // An unknown word may be the option of a rule, in any place.
    ['rm -rf *', ['rm', 'a', late()], true],
    ['rm -rf *', ['rm', 'a', late('-r')], true],
    ['rm -rf *', ['rm', 'a', late('a')], false],
    ['rm -rf *', ['rm', 'a', late(undefined, '/b')], false],
    ['rm -rf *', ['rm', 'a', late(undefined, 'f')], true],
    ['rm -rf *', ['rm', 'a', many()], true],
    ['rm -rf *', ['rm', 'a', many('b')], true],
    ['rm -rf *', ['rm', 'a', glob('*')], true],
    ['rm -rf *', ['rm', 'a', glob('-?f')], true],
    ['rm -rf *', ['rm', 'a', glob('*.js')], false],
    ['rm -rf *', ['rm', 'a', glob('b*')], false],
    ['rm -rf *', [late(), 'a'], false],
    ['git push --force *', ['git', 'push', 'origin', late()], true],
    ['git push --force *', ['git', 'pull', 'origin', late()], false],
    // The name of an option may be known where its value is not, and the other way round.
    ['git rebase --exec *', ['git', 'rebase', late('--exec='), 'main'], true],
    ['git rebase --exec *', ['git', 'rebase', 'main', late('--ex=')], true],
    ['git rebase --exec *', ['git', 'rebase', 'main', late('--onto=')], false],
    ['git rebase --exec *', ['git', 'rebase', 'main', many('--exec=a')], true],
    ['git rebase --exec *', ['git', 'rebase', 'main', glob('--exec=s*')], true],
    ['git rebase --exec *', ['git', 'rebase', 'main', glob('--onto=s*')], false],
    ['git rebase --exec=rm*', ['git', 'rebase', 'main', late('--exec=')], true],
    ['git push --force-with-lease *', ['git', 'push', 'origin', late(undefined, '=main')], true],
    ['git push --force-with-lease *', ['git', 'push', 'origin', late(undefined, ':main')], false],
    ['git push --force-with-lease *', ['git', 'push', 'origin', late('--force-with-lease=')], true],
    ['git push --force-with-lease *', ['git', 'push', 'origin', glob('--fo*=main')], true],
    ['git push --force-with-lease *', ['git', 'push', 'origin', glob('a*=main')], false],
    // A rule's option in another place, spelling or disguise.
    ['git push --force origin', ['git', 'push', '-v', 'origin', '--force'], true],
    ['git push --force origin', ['git', 'push', '-v', 'upstream', '--force'], false],
    ['git push --force *', ['git', 'push', 'origin', glob('+ma*')], true],
    ['git push --force *', ['git', 'push', 'origin', 'a--mirror'], false],
    ['git push --force *', ['git', 'push', 'origin', 'a+b'], false],
    ['git push --mirror *', ['git', 'push', '-f', 'x'], false],
    ['git push --delete *', ['git', 'push', 'x', '-d'], true],
    ['rm --recur* *', ['rm', 'x', '-r'], false],
    ['rm --recursive* *', ['rm', 'x', '-r'], true],
    ['rm --recursive *', ['rm', 'x', '--rec'], true],
    ['rm --recursive *', ['rm', 'x', '--force'], false],
    ['rm -rf *', ['rm', 'x', '--force', '-R'], true],
    ['rm -rf *', ['-rf', 'x'], false],
    ['sed -i *', ['sed', 's/a/b/', '--in-place', 'x'], true],
    ['sed -i *', ['sed', 's/a/b/', '--in', 'x'], true],
    ['sed -i *', ['sed', 's/a/b/', '--quiet', 'x'], false],
    ['sed --in-place *', ['sed', 's/a/b/', '-ni', 'x'], true],
    ['tar -x *', ['tar', 'a', '--', 'b'], false],
    // Wildcards of the shell against a rule with a star.
    ['git push *', ['git', glob('p[tu]sh')], true],
    ['git push *', ['git', glob('p[tu]ll')], false],
    ['git pu*sh main', ['git', glob('p*'), 'main'], true],
    ['git pu*sh main', ['git', glob('push*'), 'main'], true],
    ['cp a b', ['cp', '-v', 'a', 'b'], true],
    ['cp a b', ['cp', 'a', 'b', 'c'], false],
    // Another spelling of a path, and a word as it was written.
    ['rm src/a', ['rm', './src/a'], true],
    ['rm src/a', ['rm', 'docs/../src/a'], true],
    ['rm src/a', ['rm', 'src/b'], false],
    ['cat ~/notes', ['cat', written('/home/me/notes', '~/notes')], true],
    ['cat /home/me/notes', ['cat', written('/home/me/notes', '~/notes')], true],
    ['cat ~/*', ['cat', written('/home/me/notes', '~/notes')], true],
    ['cat ~/*', ['cat', written('/home/me/notes', '/home/me/notes')], false],
    // The program by any path, in any letters.
    ['rm *', ['/bin/rm', 'x'], true],
    ['rm *', ['/bin/RM', 'x'], true],
    ['/bin/rm *', ['rm', 'x'], true],
    ['git push *', ['/usr/bin/git', '--no-pager', 'push'], true],
    ['* --force', ['/bin/x', '--force'], true],
  ])('%s %j: %s', (rule, words, expected) => {
    expect(isCommandDenied(pattern(rule), subject(words))).toBe(expected)
  })

  it.each<Row>([
    ['rm -rf *', ['rm', '-r', '-f', 'x'], true],
    ['rm -rf *', ['rm', 'x', '-fr'], true],
    ['rm -rf *', ['rm', '-Rf', 'x'], true],
    ['rm -rf *', ['rm', '--recursive', '--force', 'x'], true],
    ['rm -rf *', ['rm', '--rec', '-f', 'x'], true],
    ['rm -rf *', ['rm', '-r', 'x'], false],
    ['rm -rf *', ['rm', '--', '-rf'], true],
    ['git push --force *', ['git', 'push', 'origin', '-f'], true],
    ['git push --force *', ['git', 'push', 'origin', '--forc'], true],
    ['git push --force *', ['git', 'push', 'origin', '--force=x'], true],
    ['git push --force *', ['git', 'push', 'origin', '+main'], true],
    ['git push --force *', ['git', 'push', 'origin', '--mirror'], true],
    ['git push --force *', ['git', 'push', 'origin', late('+')], true],
    ['git push --force *', ['git', 'push', 'origin', 'x+main'], false],
    ['git push --force *', ['git', 'push', 'origin', 'main'], false],
    ['git push --force *', ['git', 'push', 'origin', '--quiet'], false],
    ['git pull --force *', ['git', 'pull', 'origin', '+main'], false],
    ['git push --force-with* *', ['git', 'push', 'a', '--force-with-lease'], true],
    ['git push --f* *', ['git', 'push', 'a', '--follow-tags'], true],
    ['sed -i *', ['sed', 'x', '--in-place', 'y'], true],
    ['sed --in-place *', ['sed', 'x', '-i', 'y'], true],
    ['sed --in-place *', ['sed', 'x', '-I', 'y'], false],
    ['ln --symbolic *', ['ln', 'a', '-s', 'b'], true],
    ['ls -a *', ['ls', 'x', '-la'], true],
    ['ls -a *', ['ls', 'x', '-A'], false],
    ['ls --all *', ['ls', 'x', '-a'], false],
    ['head -1 *', ['head', 'x', '-1'], false],
    ['head -1 *', ['head', '-1', 'x'], true],
    ['npm --global install *', ['npm', 'install', '-g', 'x'], true],
    ['npm install -g *', ['npm', 'install', 'x', '--global'], true],
  ])('its options in any order and spelling: %s %j: %s', (rule, words, expected) => {
    expect(isCommandDenied(pattern(rule), subject(words))).toBe(expected)
  })
})

describe('an allow covers', () => {
  it.each<Row>([
    ['cat ~/notes', ['cat', written('/home/me/notes', '~/notes')], true],
    ['cat /home/me/notes', ['cat', written('/home/me/notes', '~/notes')], true],
    ['cat ~/*', ['cat', written('/home/me/notes', '~/notes')], true],
    ['cat /home/me/*', ['cat', written('/home/me/notes', '~/notes')], true],
    ['git diff *', ['git', '--no-pager', 'diff', 'x'], true],
    ['git diff *', ['/usr/bin/git', 'diff', 'x'], false],
    ['git diff *', ['git', '-c', 'x', 'diff'], false],
    ['git diff *', ['git', 'diff', late('x')], true],
    ['git diff *', ['git', 'diff', many()], true],
    ['git diff *', ['git', late()], false],
    ['git diff *', ['git', many('diff')], false],
    ['git diff *', [late(), 'diff'], false],
    ['git diff x', ['git', 'diff', glob('*')], false],
    ['echo *', ['echo', 'a', late(), glob('*.txt')], true],
    ['g*', [], false],
  ])('%s %j: %s', (rule, words, expected) => {
    expect(isCommandCovered([pattern(rule)], subject(words))).toBe(expected)
  })
})
