import type { Word } from '../contracts/subject.ts'
import { awkProblem } from './awkProblem.ts'
import { cmakeProblem } from './cmakeProblem.ts'
import { compilerProblem } from './compilerProblem.ts'
import { coverageProblem } from './coverageProblem.ts'
import { dangerousOptions } from './dangerousOptions.ts'
import { ghProblem } from './ghProblem.ts'
import { gitProblem } from './gitProblem.ts'
import { goProblem } from './goOperands.ts'
import { innerTool } from './innerTool.ts'
import { isPlainGitWord } from './isPlainGitWord.ts'
import { jqProblem } from './jqProblem.ts'
import { killProblem } from './killProblem.ts'
import { makeProblem } from './makeProblem.ts'
import { nodeProblem } from './nodeProblem.ts'
import { npmProblem } from './npmProblem.ts'
import { npxWords } from './npxWords.ts'
import { FIND_SEEN, optionProblem, valuesOf } from './optionProblem.ts'
import { withoutOutputs } from './outputOptions.ts'
import { packerProblem } from './packerProblem.ts'
import { perlProblem } from './perlProblem.ts'
import { pipProblem } from './pipProblem.ts'
import { printfProblem } from './printfProblem.ts'
import { pythonProblem } from './pythonProblem.ts'
import { sedProblem } from './sedProblem.ts'
import { sortWords } from './sortWords.ts'
import { strangerProblem } from './strangerProblem.ts'
import { syntaxProblem } from './syntaxProblem.ts'
import { testProblem } from './testProblem.ts'
import { toolName } from './toolName.ts'
import { xxdProblem } from './xxdProblem.ts'

/** Why a prefix rule does not cover these words; undefined where it does. */
export type FlagProblem = { readonly why: string; readonly isOpaque: boolean }

type Check = (argv: readonly Word[]) => string | undefined

const CHECKS: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['git', gitProblem],
  ['sed', sedProblem],
  ['gsed', sedProblem],
  ...['awk', 'gawk', 'mawk', 'nawk'].map((name): [string, Check] => [name, awkProblem]),
  ...'jq yq xq tomlq gojq jaq'.split(' ').map((name): [string, Check] => [name, jqProblem]),
  ['coverage', coverageProblem],
  ['date', dateProblem],
  ['gh', ghProblem],
  ['go', goProblem],
  ['kubectl', kubectlProblem],
  ['cargo', cargoProblem],
  ...'gcc g++ cc c++ clang clang++ cpp c89 c99 gfortran'
    .split(' ')
    .map((name): [string, Check] => [name, compilerProblem]),
  ...'make gmake bmake rake scons'.split(' ').map((name): [string, Check] => [name, makeProblem]),
  ['cmake', cmakeProblem],
  ['ninja', ninjaProblem],
  ...'npm pnpm yarn bun'.split(' ').map((name): [string, Check] => [name, (argv) => npmProblem(name, argv)]),
  ...'xz lzma bzip2 zstd gzip lz4 xzcat'.split(' ').map((name): [string, Check] => [name, packerProblem]),
  ...'ruby php lua'.split(' ').map((name): [string, Check] => [name, (argv) => syntaxProblem(name, argv)]),
  ['perl', (argv) => syntaxProblem('perl', argv) ?? perlProblem(argv)],
  ...'pip pip3'.split(' ').map((name): [string, Check] => [name, pipProblem]),
  ['node', nodeProblem],
  ['nodejs', nodeProblem],
  ['python', pythonProblem],
  ['python3', pythonProblem],
  ['curl', curlProblem],
  ['printf', printfProblem],
  ['test', testProblem],
  ['[', testProblem],
  ['tee', teeProblem],
  ['ln', linkProblem],
  ['kill', killProblem],
  ['xxd', xxdProblem],
])

/** These look at words that are known only when it runs themselves. */
const TAKING_UNKNOWN = new Set([printfProblem, jqProblem, nodeProblem, pythonProblem, killProblem])

/** Looks a command up by its name; of what is not in the table only options that say what they run are known. */
export function flagProblem(called: string, given: readonly Word[]): FlagProblem | undefined {
  const name = toolName(called)
  const inner = innerTool(name, given)
  return ownProblem(name, withoutOutputs(name, given)) ?? (inner && ownProblem(nameOfTool(inner), inner))
}

function ownProblem(name: string, given: readonly Word[]): FlagProblem | undefined {
  const argv = name === 'npx' ? npxWords(given) : given
  const options = dangerousOptions.get(name)
  const check = CHECKS.get(name)
  const stranger = (!options && !check) || options?.isOpen ? strangerProblem(name, argv) : undefined
  if (stranger !== undefined) return { why: stranger, isOpaque: true }
  if (!options && !check) return undefined
  const isValue = ({ prefix = '' }: { readonly prefix?: string }): boolean =>
    /^-[^-]/.test(prefix) && options?.valued?.includes(prefix.charAt(1)) === true
  const end = options?.takesFiles ? argv.findIndex((word) => word.kind === 'literal' && word.value === '--') : -1
  const isUnknown = (word: Word, index: number): boolean =>
    index > 0 &&
    (end < 0 || index < end) &&
    mayBeOption(word) &&
    (check !== undefined || !isNamed(word)) &&
    !(word.kind === 'dynamic' && isValue(word)) &&
    !isPlainGitWord(argv, index)
  const takesUnknown = options?.takesUnknown || (check !== undefined && TAKING_UNKNOWN.has(check))
  if (!takesUnknown && argv.some(isUnknown)) {
    const advice =
      name === 'git'
        ? '; put `--` before paths, `--end-of-options` before a revision of git log or diff'
        : options?.takesFiles
          ? '; put `--` before files'
          : ''
    return { why: `${name}: a word known only when it runs may become an option${advice}`, isOpaque: true }
  }
  const why = check?.(argv) ?? (options ? optionProblem(name, argv, options) : undefined)
  return why === undefined ? undefined : { why, isOpaque: !FIND_SEEN.test(why) }
}

function nameOfTool([first]: readonly Word[]): string {
  return first?.kind === 'literal' ? toolName(first.value.slice(first.value.lastIndexOf('/') + 1)) : ''
}

/** `--glob=*.ts` is this option, whatever the shell finds. */
function isNamed(word: Word): boolean {
  return word.kind === 'glob' && /^--[\w-]+=/.test(word.value)
}

/** True for a word that may start with a dash when it runs. */
export function mayBeOption(word: Word): boolean {
  if (word.kind === 'literal') return false
  return /^$|^[-*?[]/.test(word.kind === 'glob' ? word.value : (word.prefix ?? ''))
}

/** An operand that is no format sets the clock. */
function dateProblem(argv: readonly Word[]): string | undefined {
  const isGiven = (word: Word | undefined): boolean =>
    word?.kind === 'literal' && /^-\w*[dfr]$|^--(?:date|file|reference)$/.test(word.value)
  const setting = argv.slice(1).find((word, index) => {
    if (word.kind === 'literal') return !/^[+-]/.test(word.value) && !isGiven(argv[index])
    return word.kind === 'glob' || (!word.prefix?.startsWith('+') && !isGiven(argv[index]))
  })
  return setting && 'date with an operand that is no format sets the clock'
}

/** What a harness of tests reads behind `--`, and words from a file. */
function cargoProblem(argv: readonly Word[]): string | undefined {
  const values = valuesOf(argv)
  const end = values.indexOf('--')
  const found = end < 0 ? undefined : values.slice(end).find((value) => /^@|^--lo/.test(value))
  return found && `cargo with ${found} can run or write more than the rule says`
}

/** The last folder is the one that counts. */
function ninjaProblem(argv: readonly Word[]): string | undefined {
  return valuesOf(argv).filter((value) => value.startsWith('-C')).length > 1 ? 'ninja in a second folder' : undefined
}

function kubectlProblem(argv: readonly Word[]): string | undefined {
  const values = valuesOf(argv)
  return values.includes('kustomize') ? 'kubectl kustomize fetches what its folder names, by git' : undefined
}

/** Only an address, and options that change how it is shown. */
function curlProblem(argv: readonly Word[]): string | undefined {
  for (const word of argv.slice(1)) {
    if (word.kind !== 'literal') return 'curl with an address that is not literal'
    const { value } = word
    if (/^-[sSfLiIv]+$/.test(value) || /^--(?:silent|show-error|fail|location|head|include|compressed)$/.test(value))
      continue
    if (value.startsWith('-')) return `curl ${value} can read, write or send files`
    if (/^(?!https?:\/\/)[^/]*:(?!\d+(?:\/|$))/i.test(value)) return `curl with another protocol: ${value}`
  }
  return sortWords(argv).operands.length > 1 ? 'curl with more than one address' : undefined
}

/** A second name for a file: what is written through it changes the first. */
function linkProblem(argv: readonly Word[]): string | undefined {
  const isSymbolic = valuesOf(argv).some((value) => /^-[a-zA-Z]*s|^--sy/.test(value))
  return isSymbolic ? undefined : 'ln without -s makes a second name, through which the file can be changed'
}

function teeProblem(argv: readonly Word[]): string | undefined {
  const found = argv
    .slice(1)
    .find((word) => word.kind !== 'literal' || (/^-./.test(word.value) && !/^-[aip]+$|^--append$/.test(word.value)))
  return found ? 'tee with an option or target that is not plain' : undefined
}
