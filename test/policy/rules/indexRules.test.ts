import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Word } from '../../../src/contracts/subject.ts'
import { type CommandSubject, isCommandCovered, isCommandDenied } from '../../../src/policy/matchers/command.ts'
import { isPathCovered, isPathDenied } from '../../../src/policy/matchers/path.ts'
import { commandCandidates, pathCandidates } from '../../../src/policy/rules/indexRules.ts'
import { PROJECT, policyOf } from '../../helpers/policy/policyCalls.ts'
import { times } from '../../helpers/sampled.ts'

const PATHS = 'src/** *.ts SRC/a.ts /src/ ./lib/*.ts **/a.ts a/b/** ~/x //etc/* src {a,b}/c Café'.split(' ')
const COMMANDS = 'git *; git push *; * --force; GIT log; /usr/bin/git diff; g*t x; rm; ls * a; echo a\\*'.split('; ')

const segment = fc.constantFrom('src', 'SRC', 'a.ts', 'lib', 'a', 'b', 'c', 'cafe\u0301', 'x')
const file = fc
  .tuple(fc.constantFrom(PROJECT, '/etc', '/home/user', '/'), fc.array(segment, { maxLength: 3 }))
  .map(([root, parts]) => [root === '/' ? '' : root, ...parts].join('/') || '/')

const word: fc.Arbitrary<Word> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .constantFrom('git', 'Git', '/usr/bin/git', 'push', 'x', 'a', 'rm', 'ls', '--force', 'log')
      .map((value) => ({ kind: 'literal' as const, value })),
  },
  fc.constant<Word>({ kind: 'dynamic' }),
  fc.constantFrom('g*', '*').map((value) => ({ kind: 'glob' as const, value })),
)
const chain = fc.array(fc.array(word, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 2 })

describe('the index', () => {
  it('hides no path rule that matches', async () => {
    const rules = PATHS.map((pattern) => `Read(${pattern})`)
    const { index } = await policyOf({ allow: rules, deny: rules })
    fc.assert(
      fc.property(file, (path) => {
        const denying = index.deny.read.all.filter(({ pattern }) => isPathDenied(pattern, path))
        const covering = index.allow.read.all.filter(({ pattern }) => isPathCovered(pattern, path, 'read'))
        expect([...pathCandidates(index.deny.read, path)]).toEqual(expect.arrayContaining(denying))
        expect([...pathCandidates(index.allow.read, path)]).toEqual(expect.arrayContaining(covering))
      }),
      { numRuns: times(1_000, 200) },
    )
  })

  it('hides no command rule that matches', async () => {
    const rules = COMMANDS.map((pattern) => `Bash(${pattern})`)
    const { index } = await policyOf({ allow: rules, deny: rules })
    fc.assert(
      fc.property(chain, (links) => {
        const subject: CommandSubject = {
          kind: 'command',
          chain: links.map((argv) => ({ argv, cover: 'wildcard' })),
          text: '',
        }
        const denying = index.deny.commands.all.filter(({ pattern }) => isCommandDenied(pattern, subject))
        expect(commandCandidates(index.deny.commands, subject)).toEqual(expect.arrayContaining(denying))
        const covers = (entries: typeof index.allow.commands.all) =>
          isCommandCovered(
            entries.map(({ pattern }) => pattern),
            subject,
          )
        expect(covers(commandCandidates(index.allow.commands, subject))).toBe(covers(index.allow.commands.all))
      }),
      { numRuns: times(2_000, 400) },
    )
  })
})
