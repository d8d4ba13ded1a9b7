import type { Command, CommandArgument } from 'unbash'
import type { CommandLink, PathForms, PathSubject, Word } from '../contracts/subject.ts'
import { isStateful } from './changesState.ts'
import { expandBraces } from './expandBraces.ts'
import { type FileOperand, operandSubject } from './fileOperand.ts'
import { isOneWord } from './isOneWord.ts'
import { isReader } from './isReader.ts'
import { makesFolders } from './lateRemote.ts'
import { linkedEntry } from './linkedEntry.ts'
import { madePlaces } from './madePlaces.ts'
import { pinRevision } from './pinRevision.ts'
import { printedFiles } from './printedFiles.ts'
import { readAssignments } from './readAssignments.ts'
import { inputOf, leavesOutput, readRedirects } from './readRedirects.ts'
import { type ReadWord, readWord, type WordProblem } from './readWord.ts'
import { remoteNames } from './remoteProblem.ts'
import { textOf } from './textOf.ts'
import { nameOf, type Unwrapped, unwrapCommand } from './unwrapCommand.ts'
import { addOpaque, addSubject, moveTo, resolveValue, type Walk } from './walk.ts'
import { STATEFUL } from './wrappers.ts'

/** Judges one simple command; its canonical text, every word quoted. */
export function readCommand(command: Command, walk: Walk): string {
  const { input } = walk
  walk.input = undefined
  const assignments = readAssignments(
    command.prefix.filter((each) => each.type === 'Assignment'),
    walk,
  )
  const words = pinRevision(withoutOptions(readWords(command, walk)), walk)
  const redirects = readRedirects(command.redirects, walk)
  if (words === undefined) return ''
  if (words.length === 0) {
    // Inside of "$(…)" bash reads the words behind such a document otherwise than outside.
    if (command.redirects.some(({ type }) => type === 'HereDoc'))
      return addOpaque(walk, 'a here-document without a command', command)
    return assignments.emission === ''
      ? redirects.trimStart()
      : addOpaque(walk, 'an assignment without a command', command)
  }
  const argv = words.map((each) => each.word)
  const name = nameOf(argv)
  if (name === undefined || name === '' || name.startsWith('%') || words[0]?.isVariable) {
    return addOpaque(walk, 'a command whose name is not literal', command)
  }
  const texts = words.map(({ word }) => textOf(word))
  if (words.some((each, index) => each.isVariable && isStateful(texts[index] ?? '', texts))) {
    return addOpaque(walk, 'a loop variable that names a command of the shell', command)
  }
  const isAlone = argv.every((word) => word.kind !== 'dynamic')
  walk.input = isAlone ? inputOf(command.redirects, input) : undefined
  judge(argv, words.map((each) => each.text).join(' '), assignments.problem, walk)
  walk.printed = command.redirects.every(leavesOutput) ? printedFiles(argv, walk.input) : undefined
  return `${assignments.emission}${words.map((each) => each.emission).join(' ')}${redirects}`
}

const CHANGING = new Set('cp mv ln rm install chmod chown chgrp rsync touch'.split(' '))

/** To what changes files, a file called like an option is a file: `*` becomes `./*`. */
function withoutOptions(words: ReadWord[] | undefined): ReadWord[] | undefined {
  if (!CHANGING.has(textOf(words?.[0]?.word ?? { kind: 'dynamic' }))) return words
  return words?.map((each) => {
    const { word, emission } = each
    if (word.kind !== 'glob' || !/^[*?[]/.test(word.value)) return each
    return { ...each, word: { ...word, value: `./${word.value}` }, emission: `./${emission}` }
  })
}

/** The words of the command; undefined where one of them makes it opaque. */
function readWords(command: Command, walk: Walk): ReadWord[] | undefined {
  const words: ReadWord[] = []
  const syntax: readonly CommandArgument[] = command.name ? [command.name, ...command.args] : command.args
  for (const [index, argument] of syntax.entries()) {
    if (index > 0 && syntax[index - 1]?.end === argument.pos) {
      addOpaque(walk, 'a process substitution that is only a part of its word', command)
      return undefined
    }
    const expanded = index === 0 || argument.type !== 'Word' ? undefined : expandBraces(argument.text)
    if (expanded) {
      words.push(...expanded)
      continue
    }
    const read: ReadWord | WordProblem =
      argument.type === 'Word' ? readWord(argument, walk) : { problem: `a declaration ${argument.text.slice(0, 60)}` }
    if ('problem' in read) {
      addOpaque(walk, read.problem, command)
      return undefined
    }
    words.push(read)
  }
  return words
}

function judge(argv: readonly Word[], text: string, problem: string | undefined, walk: Walk): void {
  const directory = directoryWords(argv)
  const isMoved = walk.cwd !== walk.context.root
  const { links: unwrapped, seen } = directory ? followDirectory(argv, directory, walk) : unwrapCommand(argv, walk)
  const links = isMoved ? unwrapped.map((link): CommandLink => ({ ...link, isMoved })) : unwrapped
  const operands = directory ? [] : links.flatMap((link) => operandsOf(link, walk))
  const why = problem ?? operands.find((each) => typeof each === 'string')
  const chain = why === undefined ? links : links.map((link): CommandLink => ({ ...link, cover: 'never', why }))
  addSubject(walk, { kind: 'command', chain, text })
  for (const each of seen) addSubject(walk, each)
  for (const each of operands) if (typeof each !== 'string') addSubject(walk, each.subject, !each.isTracked)
  walk.findings.clock += 1
  if (!directory) for (const link of links) addPlaces(link, walk)
  if (!isReader(chain)) {
    walk.findings.isReadOnly = false
    if (!isEditor(chain.at(-1)))
      walk.findings.changes.push({ command: walk.findings.clock - 1, at: walk.findings.clock })
  }
  if (!directory && chain.some((link) => link.cover !== 'free' && STATEFUL.has(nameOf(link.argv) ?? '')))
    moveTo(walk, undefined)
}

/** What sed and tee write, if a rule covers them, an Edit rule allows by its name. */
function isEditor(link: CommandLink | undefined): boolean {
  if (link?.cover !== 'prefix') return false
  const words = link.argv.map(textOf)
  if (words[0] === 'tee') return words.every(isOneWord)
  return words[0] === 'sed' && !words.some((word) => /^-(?:[nrsEuz]*i.|-i)/.test(word) && !isOneWord(word))
}

/** Notes where the command may put links or folders: later paths through them are not where they were. */
function addPlaces({ argv }: CommandLink, walk: Walk): void {
  const { places, uses, clock } = walk.findings
  const resolve = (path: string): PathForms => resolveValue(path, walk)
  const [cwd, command] = [walk.context.root, clock - 1]
  if (nameOf(argv)?.endsWith('git')) {
    for (const remote of remoteNames(argv)) uses.push({ path: resolve(remote), cwd, remote, command, at: command })
  }
  if (makesFolders(argv)) places.push({ forms: [], isLink: false, isFolder: true, command, at: clock })
  for (const { path, isLink } of madePlaces(baseName(nameOf(argv) ?? ''), argv, resolve)) {
    const isKnown = path !== undefined && (walk.cwd !== undefined || path.path.startsWith('/'))
    const subject = isKnown ? operandSubject(path, { resolve, cwd: walk.cwd ?? walk.context.root }) : undefined
    const isAnywhere = subject === undefined || subject.glob?.includes('**')
    const forms = isAnywhere ? undefined : [subject.path.lexical, subject.path.resolved, subject.path.physical]
    const own = { command: clock - 1, at: clock }
    places.push({ isLink: isLink && subject?.glob === undefined, ...own, ...(forms ? { forms } : {}) })
  }
}

/** The words of a `cd`, also behind `command` and `builtin`. */
function directoryWords(argv: readonly Word[]): readonly Word[] | undefined {
  const start = argv.findIndex(
    (word) => word.kind !== 'literal' || (word.value !== 'command' && word.value !== 'builtin'),
  )
  const words = argv.slice(start)
  return nameOf(words) === 'cd' ? words : undefined
}

function followDirectory(argv: readonly Word[], words: readonly Word[], walk: Walk): Unwrapped {
  const { cwd, problem } = walk.checks.changeDirectory(words, walk)
  const { uses, clock } = walk.findings
  if (cwd !== undefined) uses.push({ path: resolveValue(cwd, walk), cwd, command: clock, at: clock })
  moveTo(walk, cwd)
  const link: CommandLink = problem ? { argv, cover: 'exact', why: `cd: ${problem}` } : { argv, cover: 'free' }
  return { links: [link], seen: [] }
}

type Operand = { readonly subject: PathSubject; readonly isTracked: boolean }

/** The files that a link's words name; a text says why they cannot be known. */
function operandsOf(link: CommandLink, walk: Walk): (Operand | string)[] {
  const { argv, cover } = link
  const name = baseName(nameOf(argv) ?? '')
  return walk.checks.fileOperands(name, argv).flatMap((given): (Operand | string)[] => {
    if (given.isGuess && cover === 'free') return []
    const isLost = walk.cwd === undefined && !given.path.startsWith('/')
    if (isLost && !given.isGuess) {
      return cover === 'free' ? [] : [`\`${given.path}\` is relative, and the directory is not known after \`cd\``]
    }
    const file = isLost ? { ...given, path: `**/${given.path}`, isPattern: true } : given
    const cwd = walk.cwd ?? walk.context.root
    // The walk goes on to other folders before the disk is asked.
    const place = { context: walk.context, cwd: walk.cwd }
    const resolve = (path: string): PathForms => resolveValue(path, place)
    const subject = operandSubject(file, { cwd, resolve, disk: walk.context })
    const linked = cover === 'free' ? undefined : linkedEntry(file, subject, { cwd, resolve, disk: walk.context })
    if (linked !== undefined) return [linked]
    const isFitted = file.isTarget && (file.found !== undefined || (file.isPattern && file.isGlob))
    if (isFitted && cover !== 'free') return fittedTargets(subject, walk)
    const isTarget = file.isTarget && cover !== 'free' && !file.isPattern
    if (isTarget && /^\/dev\/(?:null|stdout|stderr)$/.test(file.path)) return []
    const target: PathSubject = { ...subject, source: 'redirect', ...writerOf(link, given, walk) }
    return [{ subject: isTarget ? target : subject, isTracked: given.isTracked === true }]
  })
}

/** The command for which an exact rule, or one that spells the output, is enough. */
function writerOf({ argv }: CommandLink, { output }: FileOperand, walk: Walk): Pick<PathSubject, 'writer'> {
  // A rule's paths are seen from the project root.
  if (output === undefined || walk.cwd !== walk.context.root) return {}
  const isSpeltBy = (rule: readonly string[]): boolean => output.every((word) => rule.includes(word))
  return { writer: { argv, cover: 'exact', isSpeltBy } }
}

/** More are not resolved one by one. */
const MAX_TARGETS = 5_000

/**
 * What a glob fits on disk, or what was found there, each of which a rule must allow to be written; where a glob fits
 * nothing, the glob as a name. What holds others is a folder, which no command writes so.
 */
function fittedTargets(pattern: PathSubject, walk: Walk): (Operand | string)[] {
  const { found, path } = pattern
  const names = found ? found.files() : pattern.matches?.()
  if (names === undefined || names.length > MAX_TARGETS)
    return [`what \`${path.given}\` stands for cannot be told beforehand`]
  walk.findings.fitted.push({ command: walk.findings.clock, at: walk.findings.clock })
  const folders = new Set(names.map((name) => name.slice(0, name.lastIndexOf('/'))))
  const files = found || names.length > 0 ? names.filter((name) => !folders.has(name)) : [path.given]
  const targets = files.map((name): PathSubject => {
    return { kind: 'path', access: 'write', path: resolveValue(name, walk), source: 'redirect' }
  })
  return [pattern, ...targets].map((subject) => ({ subject, isTracked: false }))
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).toLowerCase()
}
