import type { FoundFiles, Word } from '../contracts/subject.ts'
import { includedNames } from './includedNames.ts'
import { lastNameOf, readFind } from './readFind.ts'
import { isFilter } from './sortWords.ts'
import { asChanged, asFormatted, asSpelt } from './speltWords.ts'

type Read = (words: readonly string[], input: FoundFiles | undefined) => FoundFiles | undefined

/** Commands that print paths, and those that hand on some of the lines that they get. */
const PRINTERS: ReadonlyMap<string, Read> = new Map<string, Read>([
  ['echo', (words) => asSpelt(words[0] === '-n' ? words.slice(1) : words)],
  ['printf', ([format = '', ...words]) => asFormatted(format, words)],
  ['git', readGit],
  ['grep', (words, input) => (words.some((word) => LISTING.test(word)) ? readGrep(words) : readFilter(words, input))],
  ['rg', readRipgrep],
  ['cat', (words, input) => (words.length === 0 ? input : undefined)],
  ['head', asLines(/^(?: -n \d+| -n?\d+)?$/)],
  ['tail', asLines(/^(?: -n \+?\d+| -n?\+?\d+)?$/)],
  ['sort', asLines(/^(?: -[urnV]+)*$/)],
  ['uniq', asLines(/^$/)],
])

/** The paths that a command of literal words prints, one a line or each with NUL; `input` is what it reads. */
export function printedFiles(argv: readonly Word[], input: FoundFiles | undefined): FoundFiles | undefined {
  const words = argv.map((word) => (word.kind === 'literal' || isFilter(word) ? word.value : undefined))
  if (!words.every((word) => word !== undefined)) return asChanged(input)
  const [name = '', ...rest] = words
  const printed = name === 'find' ? readFind(argv) : PRINTERS.get(name)?.(rest, input)
  return printed ?? asChanged(input)
}

/** Takes lines away and changes none; any other word would be a file that it reads instead. */
function asLines(form: RegExp): Read {
  return (words, input) =>
    input?.isNul !== true && form.test(words.map((word) => ` ${word}`).join('')) ? input : undefined
}

const LISTING = /^-\w*l|^--files-with-matches$/

/** `grep -v text` leaves out what has the text; `grep '\.ts$'` leaves what ends so. */
function readFilter(words: readonly string[], input: FoundFiles | undefined): FoundFiles | undefined {
  const options = words.filter((word) => word.startsWith('-'))
  const [pattern, ...others] = words.filter((word) => !word.startsWith('-'))
  const isPlain = options.every((option) => /^-[viEFwx]+$/.test(option))
  if (input === undefined || input.isNul || !isPlain || pattern === undefined || others.length > 0) return undefined
  const isInverted = options.some((option) => option.includes('v'))
  const isExact = !options.some((option) => /[iwx]/.test(option))
  if (isInverted && isExact && /^[\w/-]+$/.test(pattern)) {
    return { ...input, except: [...(input.except ?? []), `*${pattern}*`] }
  }
  const ending = /^\\(\.\w+)\$$/.exec(pattern)?.[1]
  const isEnding = ending !== undefined && !options.some((option) => /[vFw]/.test(option))
  return isEnding && input.names === undefined ? { ...input, names: [`*${ending}`], isPicked: true } : input
}

/**
 * `git grep -l`, and `git ls-files -z folder…`. Without `-z` and a folder a name that is not on disk could be anything when
 * it is read again; so could one of another commit.
 */
function readGit(words: readonly string[]): FoundFiles | undefined {
  const [subcommand, ...rest] = words
  const options = rest.filter((word) => word.startsWith('-'))
  const isNul = options.some((option) => NUL.test(option))
  const known = subcommand === 'grep' ? GREP : subcommand === 'ls-files' ? LS_FILES : undefined
  if (!known || !options.every((option) => known.test(option) || NUL.test(option))) return undefined
  if (known === GREP) {
    const isListing = options.some((option) => LISTING.test(option))
    return isListing ? { ...HERE, isFollowing: true, ...(isNul ? { isNul } : {}) } : undefined
  }
  const places = rest.filter((word) => !word.startsWith('-')).map(placeOf)
  if (!isNul || places.length === 0 || !places.every((place) => place !== undefined)) return undefined
  const names = places.map(({ names }) => names)
  return {
    starts: places.map(({ start }) => start),
    isFollowing: true,
    isNul,
    ...(names.every((each) => each !== undefined) ? { names: names.flat(), isPicked: true } : {}),
  }
}

const NUL = /^-z$|^--null$/
const LS_FILES = /^-[cmod]+$|^--(?:cached|modified|others|deleted|exclude-standard)?$/
const GREP = /^-[liwEFIn]+$|^--(?:files-with-matches|ignore-case)$/

const HERE = { starts: ['.'], isBare: true } as const

/** The folder and the names that a pathspec fits; its `*` goes over slashes. */
function placeOf(spec: string): { readonly start: string; readonly names: readonly string[] | undefined } | undefined {
  const start = /[*?[]/.test(spec) ? /^[^*?[]*(?=\/)/.exec(spec)?.[0] : spec
  if (start === undefined || !/^\w/.test(start) || start.includes('\\')) return undefined
  return { start, names: start === spec ? undefined : lastNameOf(spec) }
}

/** `grep -rl text folder…`; without a folder it looks into the one it is in. */
function readGrep(words: readonly string[]): FoundFiles | undefined {
  const options = words.filter((word) => word.startsWith('-'))
  const [, ...places] = words.filter((word) => !word.startsWith('-'))
  const isKnown = options.every((option) =>
    /^-[rRliIEFwnsHZ]+$|^--(?:include=[^[\]\\]+|exclude(?:-dir)?=.+|null)$/.test(option),
  )
  if (!isKnown || !options.some((option) => /^-\w*[rR]/.test(option))) return undefined
  const names = includedNames(options)
  const isNul = options.some((option) => /^-\w*Z|^--null/.test(option))
  return {
    ...(places.length > 0 ? { starts: places } : HERE),
    ...(names.length > 0 ? { names, isPicked: true } : {}),
    ...(options.some((option) => /^-\w*R/.test(option)) ? { isFollowing: true } : {}),
    ...(isNul ? { isNul } : {}),
  }
}

/** `rg -l text folder…`, `rg --files`. */
function readRipgrep(words: readonly string[]): FoundFiles | undefined {
  const options = words.filter((word) => word.startsWith('-'))
  const operands = words.filter((word) => !word.startsWith('-'))
  const isFiles = options.includes('--files')
  const isKnown = options.every((option) => /^-[liIFwsSu0]+$|^--(?:files|files-with-matches|hidden|null)$/.test(option))
  if (!isKnown || !(isFiles || options.some((option) => LISTING.test(option)))) return undefined
  const places = isFiles ? operands : operands.slice(1)
  const isNul = options.some((option) => /^-\w*0|^--null$/.test(option))
  return { ...(places.length > 0 ? { starts: places } : HERE), ...(isNul ? { isNul } : {}) }
}
