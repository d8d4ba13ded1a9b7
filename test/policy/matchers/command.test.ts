import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { CommandLink, Word } from '../../../src/contracts/subject.ts'
import {
  type CommandSubject,
  isCommandCovered,
  isCommandDenied,
  mayContainCommand,
  overridesRule,
} from '../../../src/policy/matchers/command.ts'
import { parseCommandPattern } from '../../../src/policy/matchers/parseCommandPattern.ts'
import { pattern } from '../../helpers/policy/judgeCommand.ts'
import { rowsOfText } from '../../helpers/rowsOfText.ts'

const HOME = '/home/me'

/** A word of `commands.txt`. */
function wordOf(text: string): Word {
  const [, prefix, sign, suffix] = /^(.*?)(\$@?)(.*)$/.exec(text) ?? []
  if (text.startsWith("'")) return { kind: 'literal', value: text.slice(1, -1) }
  if (text.startsWith('~/')) return { kind: 'literal', value: text.replace('~', HOME), written: text }
  if (sign !== undefined)
    return { kind: sign === '$' ? 'dynamic' : 'many', ...(prefix && { prefix }), ...(suffix && { suffix }) }
  return { kind: /[*?[]/.test(text) ? 'glob' : 'literal', value: text }
}

function link(line: string, rest: Partial<CommandLink> = {}): CommandLink {
  return { argv: (line.match(/'[^']*'|\S+/g) ?? []).map(wordOf), cover: 'wildcard', ...rest }
}

function subject(...chain: CommandLink[]): CommandSubject {
  return { kind: 'command', chain, text: '' }
}

const covers = (rule: string, line: string) => isCommandCovered([pattern(rule)], subject(link(line)))
const denies = (rule: string, line: string) => isCommandDenied(pattern(rule), subject(link(line)))
/** What the groups of `commands.txt` ask, by their first words. */
const QUESTIONS: Readonly<Record<string, typeof covers>> = {
  ...{ 'An allow': covers, 'A deny': denies },
  'A text': (rule, line) => mayContainCommand(pattern(rule), line),
  'An option': (rule, line) => overridesRule(rule.split(' '), link(line).argv),
}

const rows = rowsOfText(readFileSync(new URL('commands.txt', import.meta.url), 'utf8'))
test.each([...new Set(rows.map(({ group }) => group))])('%s', (name) => {
  const lines = rows.flatMap(({ group, line }) => (group === name ? [line] : []))
  const told = lines.map((row) => {
    const [, rule, line] = /^(.+?) \| (.+) => (?:yes|no)$/.exec(row) ?? []
    if (rule === undefined || line === undefined) throw new Error(`no row: ${row}`)
    const ask = Object.entries(QUESTIONS).find(([start]) => name.startsWith(start))?.[1] ?? covers
    return `${rule} | ${line} => ${ask(rule, line) ? 'yes' : 'no'}`
  })
  expect(told).toEqual(lines)
})

test('a rule for the home folder does not mean a path that was written in full', () => {
  const path: Word = { kind: 'literal', value: `${HOME}/notes`, written: `${HOME}/notes` }
  const cat = subject({ ...link('cat'), argv: [wordOf('cat'), path] })
  expect(isCommandDenied(pattern('cat ~/*'), cat)).toBe(false)
})

test('a rule for any program does not cover a command of no words', () => expect(covers('g*', '')).toBe(false))

test('wildcards below folders stay fast', () => {
  const words = (count: number) => ' a/a'.repeat(count)
  expect(covers('cp a/* a/* a/* b', `cp${words(5_000)}`)).toBe(false)
  expect(covers('cp a/* a/* a/* a/a', `cp${words(5_000)}`)).toBe(true)
  expect(covers('cp * a/* * a/* * b', `cp${words(250)}`)).toBe(false)
  expect(covers('cp * a/*', `cp x${words(5_000)}`)).toBe(false)
})

describe('an allow rule', () => {
  test('covers a chain of wrappers only link by link', () => {
    const wrapped = subject(link('timeout 5 npm test', { cover: 'none' }), link('npm test'))
    expect(isCommandCovered([pattern('npm test')], wrapped)).toBe(true)
    expect(isCommandCovered([pattern('timeout:*')], wrapped)).toBe(false)
    expect(isCommandCovered([pattern('timeout 5 npm test')], wrapped)).toBe(true)
    expect(isCommandCovered([], subject(link('cd sub', { cover: 'none' })))).toBe(true)
  })

  test('that is not exact does not cover a link that needs an exact one, and nothing covers `never`', () => {
    const exact = subject(link('sort -o x', { cover: 'exact' }))
    expect(isCommandCovered([pattern('sort:*'), pattern('sort *x'), pattern('*')], exact)).toBe(false)
    expect(isCommandCovered([pattern('sort -o x')], exact)).toBe(true)
    const spelled = subject(link('sort -o x y', { cover: 'exact', spelled: ['-o', 'x'] }))
    expect(isCommandCovered([pattern('sort -o x *')], spelled)).toBe(true)
    expect(isCommandCovered([pattern('sort -o *'), pattern('sort:*')], spelled)).toBe(false)
    const node = subject(link('node -e x', { cover: 'exact', spelled: ['-e', 'x'], isInterpreter: true }))
    expect(isCommandCovered([pattern('node *')], node)).toBe(true)
    expect(isCommandCovered([pattern('node --test *'), pattern('*')], node)).toBe(false)
    expect(isCommandCovered([pattern('*'), pattern('ls')], subject(link('ls', { cover: 'never' })))).toBe(false)
  })
})

test('a deny rule checks every link', () => {
  const wrapped = subject(link('sudo rm x', { cover: 'exact' }), link('rm x', { cover: 'none' }))
  expect(isCommandDenied(pattern('rm:*'), wrapped)).toBe(true)
  expect(isCommandDenied(pattern('sudo:*'), wrapped)).toBe(true)
})

// What else can match nothing is in `rules.txt`.
test.each(['', ' ', 'npm test && npm run x', 'ls | wc', 'echo a > b', 'ls 2>/dev/null'])(
  'a rule that can match nothing is an error: %j',
  (specifier) => expect(parseCommandPattern(specifier)).toHaveProperty('error'),
)

test('many wildcards against a long text stay fast', () => {
  const rule = pattern(`a${'*a'.repeat(200)}*b`)
  expect(isCommandDenied(rule, subject(link(`a ${'a'.repeat(100_000)}`)))).toBe(false)
})
