import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import type { CommandLink, PathForms, Subject, Word } from '../../src/contracts/subject.ts'
import { analyzeCommand } from '../../src/shell/analyzeCommand.ts'
import { ATTACKS, PROGRAMS } from './corpus/attacks.ts'
import { EVERYDAY, GIT_EVERYDAY } from './corpus/everyday.ts'

const context = { cwd: '/project', root: '/project', home: '/home/me', resolve: lexically }

/** No disk: what a line means by its text alone. */
function lexically(given: string, cwd: string): PathForms {
  const path = resolve(cwd, given)
  return { given, lexical: path, resolved: path, physical: path }
}

/** One a line; `⏎` is a new line within it. */
function linesOf(name: string): string[] {
  const written = readFileSync(new URL(`corpus/${name}`, import.meta.url), 'utf8').split('\n')
  return written.filter((line) => line !== '').map((line) => line.replaceAll('⏎', '\n'))
}

const corpora = [...EVERYDAY, ...GIT_EVERYDAY, ...ATTACKS, ...PROGRAMS].map(({ text }) => text)

// A change of one of these is seen by whoever reads the change: `npx vitest run test/shell/analysis.test.ts -u` writes it.
it('a line means what it meant', { timeout: 60_000 }, async () => {
  const lines = new Set([...linesOf('lines.txt'), ...corpora])
  // What is executed is read in the same way, but for quotes around an assignment among words.
  const isSame = (line: string) => unquoted(rebuilt(rebuilt(line))) === unquoted(rebuilt(line))
  expect([...lines].filter((line) => !isSame(line))).toEqual([])
  await expect([...lines].map(meaning).join('\n')).toMatchFileSnapshot('golden/analysis.txt')
})

// Each program that the tables know, with each option, subcommand and wrapper.
it('an option means what it meant', { timeout: 60_000 }, async () => {
  await expect(linesOf('options.txt').map(meaning).join('\n')).toMatchFileSnapshot('golden/options.txt')
})

function rebuilt(text: string): string {
  return analyzeCommand(text, context).canonical ?? text
}

const unquoted = (text: string) => text.replaceAll("'", '')

function meaning(text: string): string {
  const { subjects, canonical, isReadOnly, startsGit } = analyzeCommand(text, context)
  const facts = [isReadOnly ? 'only reads' : '', startsGit ? 'starts git' : ''].filter(Boolean)
  const runs = canonical === null ? 'cannot be rebuilt' : canonical === text ? 'as it is' : `as ${shown(canonical)}`
  return [`$ ${shown(text)}`, `  ${[runs, ...facts].join(', ')}`, ...subjects.flatMap(subjectLines)].join('\n')
}

/** On one line, and where it is long its start: what follows differs from line to line only in the corpora of long lines. */
function shown(text: string): string {
  const escaped = text.replace(/[^\P{Cc} ]/gu, (character) => JSON.stringify(character).slice(1, -1))
  return escaped.length > 400 ? `${escaped.slice(0, 400)}… ${escaped.length}` : escaped
}

function subjectLines(subject: Subject): string[] {
  if (subject.kind === 'command')
    return subject.chain.map((link, at) => `  ${at === 0 ? 'runs' : 'that runs'} ${linkLine(link)}`)
  if (subject.kind === 'path') return [`  ${subject.source} ${subject.access} ${shown(subject.path.lexical)}`]
  if (subject.kind === 'opaque')
    return [`  unknown ${JSON.stringify(subject.reason)}${subject.isUnseen === true ? ' unseen' : ''}`]
  return [`  ${JSON.stringify(subject)}`]
}

function linkLine({ argv, cover, why, ...facts }: CommandLink): string {
  const rest = [why && `because ${JSON.stringify(why)}`, Object.keys(facts).length > 0 && JSON.stringify(facts)]
  return shown([cover, ...argv.map(wordText), ...rest.filter((one) => typeof one === 'string')].join(' '))
}

function wordText(word: Word): string {
  if (word.kind === 'literal')
    return /^[\w./:=@%^+,-]+$/.test(word.value) && word.written === undefined ? word.value : JSON.stringify(word)
  return JSON.stringify(word)
}
