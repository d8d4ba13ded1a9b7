import type { Word } from '../contracts/subject.ts'
import { awkProblem } from './awkProblem.ts'
import { gitProblem } from './gitProblem.ts'
import { hasShortOption, isLongOption } from './optionSpelling.ts'
import { printfProblem } from './printfProblem.ts'
import { sedProblem } from './sedProblem.ts'
import { testProblem } from './testProblem.ts'

/**
 * Options by which a tool that only reads runs another program or writes a file. Long ones are met by every beginning of
 * their name; short ones inside bundles, up to one that takes a value.
 */
type Options = {
  readonly long?: readonly string[]
  readonly short?: string
  readonly valued?: string
  readonly words?: RegExp
}

const OPTIONS: ReadonlyMap<string, Options> = new Map<string, Options>([
  ['find', { words: /^-(?:exec|execdir|ok|okdir|delete|fls|fprint|fprint0|fprintf)$/ }],
  ['sort', { long: ['output', 'compress-program', 'temporary-directory', 'files0-from'], short: 'oT', valued: 'ktS' }],
  ['rg', { long: ['pre', 'hostname-bin', 'search-zip'], short: 'z', valued: 'ABCEMTdefgjmrt' }],
  ['ag', { long: ['pager'] }],
  ['bat', { long: ['pager', 'map-syntax', 'config-file'] }],
  ['batcat', { long: ['pager', 'map-syntax', 'config-file'] }],
  ['fd', { long: ['exec', 'exec-batch'], short: 'xX', valued: 'dEetSoc' }],
  ['fdfind', { long: ['exec', 'exec-batch'], short: 'xX', valued: 'dEetSoc' }],
  ['tree', { short: 'oR', words: /^--output/ }],
  ['shuf', { long: ['output'], short: 'o', valued: 'in' }],
  ['yq', { long: ['inplace', 'in-place', 'split-exp'], short: 'is' }],
  ['xxd', { short: 'r', words: /^-+r/ }],
  ['base64', { long: ['output', 'input'], short: 'oi' }],
  ['date', { long: ['set'], short: 's', valued: 'dfr', words: /^\d{8,}(?:\.\d\d)?$/ }],
  ['file', { long: ['compile'], short: 'C', valued: 'FPefm' }],
  ['iconv', { long: ['output'], short: 'o', valued: 'ft' }],
  ['split', { long: ['filter'] }],
  ['rsync', { long: ['rsh', 'rsync-path'], short: 'eM', words: /:/ }],
  ['scp', { short: 'SoFJD' }],
  ['sftp', { short: 'SoFJDb' }],
  ['zip', { long: ['unzip-command'], short: 'T' }],
  [
    'go',
    {
      words:
        /^--?(?:exec|toolexec|vettool|o|coverprofile|cpuprofile|memprofile|trace|blockprofile|mutexprofile)(?:=|$)/,
    },
  ],
  ['uniq', {}],
  ['history', { words: /^/ }],
  ['man', { words: /^-/ }],
  ['less', { words: /^[-+]/ }],
  ['more', { words: /^[-+]/ }],
  ['wget', { words: /^-/ }],
  ['tar', { words: /^/ }],
  ['bsdtar', { words: /^/ }],
  ['dd', { words: /^/ }],
  ['ldd', { words: /^/ }],
  ['cpio', { words: /^/ }],
  ['vi', { words: /^/ }],
  ['vim', { words: /^/ }],
  ['ed', { words: /^/ }],
  ['ex', { words: /^/ }],
])

/** Why a prefix rule does not cover these words; undefined where it does. */
export type FlagProblem = { readonly why: string; readonly isOpaque: boolean }

/** What these run is unwrapped, what `-delete` does is plain. */
const FIND_SEEN = /^find -(?:exec|execdir|ok|okdir|delete) /

type Check = (argv: readonly Word[]) => string | undefined

const CHECKS: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['git', gitProblem],
  ['sed', sedProblem],
  ['gsed', sedProblem],
  ...['awk', 'gawk', 'mawk', 'nawk'].map((name): [string, Check] => [name, awkProblem]),
  ['curl', curlProblem],
  ['printf', printfProblem],
  ['test', testProblem],
  ['[', testProblem],
  ['tee', teeProblem],
])

/** Looks a command up by its name; what is not in the table has no dangerous option known here. */
export function flagProblem(name: string, argv: readonly Word[]): FlagProblem | undefined {
  const options = OPTIONS.get(name)
  const check = CHECKS.get(name)
  if (!options && !check) return undefined
  const unknown = argv.slice(1).find(mayBeOption)
  if (unknown) return { why: `${name}: a word known only when it runs may become an option`, isOpaque: true }
  const why = check?.(argv) ?? (options ? optionProblem(name, argv, options) : undefined)
  return why === undefined ? undefined : { why, isOpaque: !FIND_SEEN.test(why) }
}

/** True for a word that may start with a dash when it runs. */
export function mayBeOption(word: Word): boolean {
  if (word.kind === 'literal') return false
  return /^$|^[-*?[]/.test(word.kind === 'glob' ? word.value : (word.prefix ?? ''))
}

function optionProblem(name: string, argv: readonly Word[], options: Options): string | undefined {
  const values = argv.slice(1).flatMap((word) => (word.kind === 'literal' ? [word.value] : []))
  const found = values.find(
    (value) =>
      options.words?.test(value) ||
      options.long?.some((long) => isLongOption(value, long)) ||
      (options.short && hasShortOption(value, options.short, options.valued)),
  )
  if (found !== undefined) return `${name} ${found} can run or write more than the rule says`
  const operands = values.filter((value) => !value.startsWith('-') || value === '-')
  if ((name === 'uniq' || name === 'xxd') && operands.length + argv.length - 1 - values.length > 1) {
    return `${name} with two operands writes the second`
  }
  return undefined
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
  return undefined
}

function teeProblem(argv: readonly Word[]): string | undefined {
  const found = argv
    .slice(1)
    .find((word) => word.kind !== 'literal' || (/^-./.test(word.value) && !/^-[aip]+$|^--append$/.test(word.value)))
  return found ? 'tee with an option or target that is not plain' : undefined
}
