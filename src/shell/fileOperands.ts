import type { Word } from '../contracts/subject.ts'
import { compilerOutputs } from './compilerOutputs.ts'
import { copyOperands } from './copyOperands.ts'
import { environmentFolders } from './environmentFolders.ts'
import { fileCommands } from './fileCommands.ts'
import { type FileOperand, fileOf, fromValues } from './fileOperand.ts'
import { findOperands } from './findOperands.ts'
import { compared } from './foundWords.ts'
import { gitOperands } from './gitOperands.ts'
import { goOperands } from './goOperands.ts'
import { guessOperands } from './guessOperands.ts'
import { jarOperands } from './jarOperands.ts'
import { withoutArguments } from './jqProblem.ts'
import { literalWord } from './literalWord.ts'
import { hasShortOption, isLongOption } from './optionSpelling.ts'
import { outputOperands } from './outputOptions.ts'
import { pickedFiles } from './pickedFiles.ts'
import { pythonModule } from './pythonModule.ts'
import { sedOperands } from './sedOperands.ts'
import { sortWords } from './sortWords.ts'
import { toolName } from './toolName.ts'
import { unpackedNames } from './unpackedNames.ts'

/** The files that a command's words name; best effort, deny and ask look at them, and what is written for certain needs a rule. */
export function fileOperands(called: string, argv: readonly Word[]): readonly FileOperand[] {
  const name = toolName(called)
  const inner = name === 'python' ? pythonModule(argv) : undefined
  const rest = inner ? [literalWord(inner.module), ...argv.slice(inner.start)] : []
  return [
    ...(inner ? [...outputOperands(inner.module, rest), ...ownOperands(inner.module, rest)] : []),
    ...outputOperands(name, argv),
    ...ownOperands(name, argv),
  ]
}

function ownOperands(name: string, argv: readonly Word[]): readonly FileOperand[] {
  if (name === 'git') return gitOperands(argv)
  if (name === 'find') return findOperands(argv)
  const changed = name === 'sed' || name === 'gsed' ? sedOperands(argv) : undefined
  if (changed) return changed
  const command = fileCommands.get(name)
  if (name === 'wget') return downloads(argv)
  if (name === 'jar') return jarOperands(sortWords(argv))
  if (name === 'go') return [...goOperands(argv), ...guessOperands(name, argv)]
  const words = sortWords(QUERYING.test(name) ? withoutArguments(argv) : argv)
  const written = [...compilerOutputs(name, argv), ...unpackedNames(name, words), ...environmentFolders(name, argv)]
  if (!command) return [...written, ...guessOperands(name, argv)]
  const { operands, options } = words
  if (command.access === 'copy') return [...copyOperands(name, words), ...fromValues(words, 'read')]
  const { script, folder } = command
  const isEdit = (name === 'perl' || name === 'ruby') && options.some((option) => /^-\w*i/.test(option))
  const isBase = name === 'sqlite3' && !options.some((option) => /^-+readonly$/.test(option))
  const access = isEdit || isBase ? 'write' : command.access
  const isScriptGiven = script === undefined || options.some((option) => isGiven(option, script))
  const given = isScriptGiven ? operands : operands.slice(1)
  const files = name === 'tee' ? given.map(asFile) : COMPARING.test(name) ? given.map(compared) : given
  const isTree = access === 'write' && options.some((option) => /^-\w*[rR]|^--r/.test(option))
  const isTarget = name === 'tee'
  const kinds = command.alsoReads || isBase ? (['read', access] as const) : [access]
  const found = files
    .flatMap((word) => kinds.flatMap((kind) => fileOf(word, kind, isTree)))
    .map((file) => (isTarget ? { ...file, isTarget } : file))
  const looksAround = files.length === 0 && folder !== undefined && isAsked(folder, options, operands)
  const here: FileOperand[] = looksAround ? [{ access, path: '.', isPattern: false, isGuess: true }] : []
  const isListing = name === 'unzip' && options.some((option) => /^-[ltvZpc]/.test(option))
  const anything: FileOperand[] =
    APPLYING.has(name) && !isListing ? [{ access: 'write', path: '**', isPattern: true }] : []
  const picked = folder === undefined ? [] : pickedFiles(name, words, files)
  const prefixed = PREFIXED.has(name) ? files.flatMap(named) : []
  return [
    ...found,
    ...here,
    ...anything,
    ...listed(files),
    ...picked,
    ...written,
    ...prefixed,
    ...kinds.flatMap((kind) => fromValues(words, kind)),
  ]
}

/** `wget` writes a file that is called like the last part of the address. */
function downloads(argv: readonly Word[]): readonly FileOperand[] {
  return sortWords(argv).operands.flatMap((word): readonly FileOperand[] => {
    if (word.kind !== 'literal') return fileOf({ kind: 'dynamic' }, 'write')
    const path = word.value.replace(/^\w+:\/\//, '').replace(/#.*$/s, '')
    const names = [path, path.replace(/\?.*$/s, '')].map((text) => decoded(text.slice(text.lastIndexOf('/') + 1)))
    return names.flatMap((name) => (name === '' ? [] : fileOf({ kind: 'literal', value: `./${name}` }, 'write')))
  })
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** `@file` holds further words for many tools, and their errors show it. */
function listed(files: readonly Word[]): readonly FileOperand[] {
  return files.flatMap((word) =>
    word.kind === 'literal' && /^@./.test(word.value) ? fileOf({ ...word, value: word.value.slice(1) }, 'read') : [],
  )
}

/** To tee, `-` is a file like any other. */
function asFile(word: Word): Word {
  return word.kind === 'literal' && word.value === '-' ? { kind: 'literal', value: './-' } : word
}

/** What `--arg` gives them is no file. */
const QUERYING = /^(?:jq|yq|gojq|jaq)$/

/** Of two folders they show what lies in both, or with `-N` in either. */
const COMPARING = /^(?:color|ic)?diff$/

/** What they write is called like an operand, with letters or figures behind it. */
const PREFIXED = new Set(['split', 'csplit', 'gsplit'])

function named(word: Word): readonly FileOperand[] {
  const start = word.kind === 'dynamic' ? undefined : word.value
  return start === undefined || start === '-' ? [] : [{ access: 'write', path: `${start}*`, isPattern: true }]
}

/** What they write is named in a file. */
const APPLYING = new Set(['patch', 'unzip', '7z', 'unrar', 'ar', 'unar'])

function isGiven(
  option: string,
  { short, long }: { readonly short: string; readonly long: readonly string[] },
): boolean {
  return hasShortOption(option, short) || long.some((name) => isLongOption(option, name))
}

/** Also `-d recurse`, where the value stands alone. */
function isAsked(folder: RegExp, options: readonly string[], operands: readonly Word[]): boolean {
  const values = operands.flatMap((word) => (word.kind === 'literal' ? [word.value] : []))
  return (
    folder.test('') || [...options, ...values.filter((value) => value === 'recurse')].some((each) => folder.test(each))
  )
}
