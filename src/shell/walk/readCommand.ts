import type { Assignment, Command, CommandArgument } from 'unbash'
import type { Reason } from '../../contracts/reason.ts'
import type { CommandLink, Word } from '../../contracts/subject.ts'
import { programName } from '../../lib/text/programName.ts'
import { DECLARATION_BUILTINS } from '../chain/builtinLink.ts'
import type { ShellScript } from '../chain/findShellScript.ts'
import { isReader } from '../chain/isReader.ts'
import { type Unwrapped, unwrapCommand } from '../chain/unwrapCommand.ts'
import { fileOperands } from '../programs/fileOperands.ts'
import { acceptsDoubleDash } from '../programs/findStart.ts'
import { textOf } from '../programs/literalWord.ts'
import { quoteWord } from '../words/quoteWord.ts'
import { readBraces } from '../words/readBraces.ts'
import { type ReadWord, readWord, wordProblem } from '../words/readWord.ts'
import { builtinWords, cdOperands, followDirectory, isInProject } from './changeDirectory.ts'
import { readAssignment, readAssignments, steers } from './readAssignments.ts'
import { readRedirects } from './readRedirects.ts'
import { plainWord, scriptDocument } from './scriptDocument.ts'
import { nameProblem, onlyVariables, refuseList } from './shellBuiltins.ts'
import {
  addRefused,
  addSubject,
  inSubshell,
  moveTo,
  newFindings,
  orOpaque,
  resolveValue,
  Unjudged,
  type Walk,
} from './Walk.ts'

/** Judges one simple command. Returns its canonical text, with every word quoted. */
export function readCommand(command: Command, walk: Walk): string {
  const given = command.prefix.filter((each): each is Assignment => each.type === 'Assignment')
  const isAlone = command.name === undefined
  const isForRead = /^(?:read|mapfile|readarray)$/.test(command.name?.text ?? '')
  const steering = isForRead ? given.filter(({ name }) => name !== 'IFS') : given
  const steeringOne = steering.find((each) => steers(each, true))
  const problem: Reason | undefined = steeringOne && { code: 'variable', name: steeringOne.name }
  const assignments = readAssignments(given, isAlone, walk)
  const read = orOpaque(command, walk, () => readWords(command, walk))
  const script = read && scriptDocument(read, command.redirects)
  const others = command.redirects.filter((each) => each !== script?.document)
  const redirects = `${script === undefined ? '' : ` <${quoteWord('/dev/null')}`}${readRedirects(others, walk)}`
  if (read === undefined) return ''
  const words = script === undefined ? read : [...read, ...['-c', script.text].map(plainWord)]
  if (words.length === 0) {
    // Inside `$(…)`, bash parses the words after such a document differently.
    if (command.redirects.some(({ type }) => type === 'HereDoc'))
      throw new Unjudged({ code: 'redirect', what: 'document', target: '' })
    if (assignments.problem) addRefused(walk, assignments.problem)
    return `${assignments.emission}${redirects}`.trimStart()
  }
  const argv = words.map(({ word }) => word)
  const { functions } = walk
  const texts = judge(words, problem ?? nameProblem(command, argv), walk)
  // If a redirect or an assignment fails, nothing of an `eval` runs.
  if (command.redirects.length > 0 || given.length > 0) walk.functions = functions
  if (argv[0]?.kind !== 'literal') walk.findings.canRebuild = false
  const start = assignments.emission === '' ? '' : `${assignments.emission} `
  return `${start}${texts.join(' ')}${redirects}`
}

/** The words of the command; undefined after an assignment among them that is opaque. */
function readWords(command: Command, walk: Walk): ReadWord[] | undefined {
  const words: ReadWord[] = []
  const syntax: readonly CommandArgument[] = command.name ? [command.name, ...command.args] : command.args
  for (const [index, argument] of syntax.entries()) {
    if (index > 0 && syntax[index - 1]?.end === argument.pos) throw wordProblem('process', '')
    const found =
      argument.type === 'Assignment'
        ? declared(argument, walk)
        : (index > 0 && readBraces(argument.text)) || [readWord(argument, walk)]
    if (found === undefined) return undefined
    for (const each of found) refuseList(argument, each, command, walk)
    words.push(...found)
  }
  return words
}

/** `export A=1`: the assignment as a single word. */
function declared(assignment: Assignment, walk: Walk): readonly ReadWord[] | undefined {
  const emission = readAssignment(assignment, true, walk)
  if (emission === undefined) return undefined
  const { name, append } = assignment
  const word = { kind: 'dynamic', prefix: `${name}${append ? '+' : ''}=` } as const
  return [{ word, emission, text: assignment.text.slice(0, 80) }]
}

/** File names may look like options. So `*` becomes `./*`, and `--` precedes words that are unknown until run time. */
function withoutOptions(words: readonly ReadWord[], walk: Walk): readonly ReadWord[] {
  if (words.every(({ word }) => word.kind === 'literal' && word.value !== 'xargs')) return words
  const quiet: Walk = { ...walk, findings: newFindings() }
  const vague = (given: readonly ReadWord[]): CommandLink | undefined =>
    unwrapCommand(
      given.map(({ word }) => word),
      quiet,
    ).links.find((link) => link.why?.code === 'mayBeOption')
  if (vague(words) === undefined) return words
  const plain = words.map(withoutOption)
  const link = vague(plain)
  if (link === undefined) return plain
  if (plain.some(({ word }) => textOf(word) === '--')) return words
  // Also of a program that another one runs: `npx eslint`.
  if (!link.argv.some((word) => acceptsDoubleDash(programName(textOf(word))))) return words
  const isXargs = plain.some(({ word }) => textOf(word) === 'xargs')
  const isUnknown = ({ word }: ReadWord): boolean =>
    (isXargs && textOf(word) === '{}') || (word.kind !== 'literal' && !(word.kind !== 'glob' && word.prefix))
  const places = plain.flatMap((each, at) => (isUnknown(each) ? [at] : []))
  for (const at of places.length === 0 ? [plain.length] : places) {
    if (plain.slice(at).some(({ word }) => textOf(word).startsWith('-'))) continue
    const dashed = [...plain.slice(0, at), plainWord('--'), ...plain.slice(at)]
    if (vague(dashed) === undefined) return dashed
  }
  return words
}

function withoutOption(each: ReadWord): ReadWord {
  const { word, emission } = each
  if (word.kind !== 'glob' || !/^[*?[]/.test(word.value)) return each
  return { ...each, word: { ...word, value: `./${word.value}` }, emission: `'./'${emission}` }
}

/** Records the command with everything it runs. Returns its words as canonical text. */
function judge(given: readonly ReadWord[], problem: Reason | undefined, walk: Walk): readonly string[] {
  const words = onlyVariables(withoutOptions(given, walk))
  const argv = words.map(({ word }) => word)
  const isMoved = walk.cwd !== walk.context.root
  const directory = cdOperands(argv)
  const unwrapped: Unwrapped = directory
    ? { links: [followDirectory(argv, directory, walk)], seen: [] }
    : unwrapCommand(argv, walk)
  const why = problem ?? loopProblem(words)
  const links = unwrapped.links.map(
    (link): CommandLink => ({
      ...link,
      ...(isMoved && !directory ? { isMoved: true } : {}),
      ...(isGit(link) && staysInside(link.argv, walk) ? { isInside: true } : {}),
      ...(why ? { cover: 'never', why } : {}),
    }),
  )
  const { findings } = walk
  if (links.some((link) => isGit(link) || link.isUnseen)) findings.startsGit = true
  addSubject(walk, { kind: 'command', chain: links, text: words.map(({ text }) => text).join(' ') })
  for (const subject of unwrapped.seen) addSubject(walk, subject)
  if (!directory) for (const link of links) addOperands(link, walk)
  if (!isReader(links)) findings.isReadOnly = false
  const texts = judgeScripts(words, unwrapped.scripts ?? [], walk)
  // If quoted, bash would not recognize it and would split the values of its assignments.
  if (DECLARATION_BUILTINS.has(textOf(argv[0]))) texts[0] = textOf(argv[0])
  const trapped = trapScript(argv)
  if (trapped !== undefined) {
    const inner: Walk = { ...inSubshell(walk), variables: new Map(), functions: new Set(), cwd: undefined }
    texts[trapped] = quoteWord(walk.visit.text(textOf(argv[trapped]), inner, true))
    if (inner.moves !== walk.moves) moveTo(walk, undefined)
  }
  if (walk.facts.isMoving(textOf(argv[0])) || links.some(isStateful)) moveTo(walk, undefined)
  return texts
}

/** A loop value must not decide what runs: the line is rebuilt with the variable. */
function loopProblem(words: readonly ReadWord[]): Reason | undefined {
  const [first] = words
  const name = textOf(first?.word)
  const isNamed =
    first?.isVariable ||
    (/^(?:command|builtin|exec|env|eval|time|timeout|nice|nohup|xargs|stdbuf)$/.test(name) &&
      words.some((each) => each.isVariable))
  return isNamed ? { code: 'unknownCommand', text: first?.isVariable ? '' : name } : undefined
}

/** Its effect on the shell is unknown. The text of an `eval` of plain words is judged in place. */
function isStateful({ cover, why, argv }: CommandLink): boolean {
  return why?.code === 'construct' || (cover !== 'none' && /^(?:eval|\.|source)$/.test(textOf(argv[0])))
}

/** `git -C FOLDER`, as `cd FOLDER && git` would be: a folder of the project needs no rule. */
function staysInside(argv: readonly Word[], walk: Walk): boolean {
  const at = argv.findIndex((word) => textOf(word) === '-C')
  const folder = argv[at + 1]
  if (at < 1 || folder?.kind !== 'literal' || argv.slice(at + 1).some((word) => textOf(word) === '-C')) return false
  if (walk.cwd === undefined && !folder.value.startsWith('/')) return false
  return isInProject(resolveValue(folder.value, walk), walk)
}

function isGit({ argv }: CommandLink): boolean {
  return /^git(?:-|$)/.test(programName(textOf(argv[0])))
}

/** `bash -c 'script'`: the script is judged in place and replaced by its canonical text. */
function judgeScripts(words: readonly ReadWord[], scripts: readonly ShellScript[], walk: Walk): string[] {
  const texts = words.map(({ emission }) => emission)
  for (const { text, index, isEval, isPosix } of scripts) {
    if (isEval) {
      // It runs in this shell, so its changes persist.
      const canonical = walk.visit.text(text, walk, true)
      texts.splice(index, texts.length - index, quoteWord(canonical))
    } else {
      const inner: Walk = {
        ...inSubshell(walk),
        variables: new Map(),
        functions: new Set(),
        depth: walk.depth + 1,
        isPosix,
      }
      texts[index] = quoteWord(walk.visit.text(text, inner))
    }
  }
  return texts
}

function trapScript(argv: readonly Word[]): number | undefined {
  const own = builtinWords(argv)
  if (textOf(own[0]) !== 'trap') return undefined
  const at = argv.length - own.length + (textOf(own[1]) === '--' ? 2 : 1)
  const script = argv[at]
  if (script?.kind !== 'literal' || argv.length === at + 1 || /^(?:-|-[lp]|\s*|\d|[1-5]\d|6[0-4])$/.test(script.value))
    return undefined
  return at
}

/** The files that a file command names in plain words, so that a mistake is reported before it runs. */
function addOperands({ argv }: CommandLink, walk: Walk): void {
  for (const { path, access } of fileOperands(programName(textOf(argv[0])), argv)) {
    if (walk.cwd === undefined && !path.startsWith('/')) continue
    addSubject(walk, { kind: 'path', access, path: resolveValue(path, walk), source: 'operand' })
  }
}
