import type { Word } from '../contracts/subject.ts'
import type { FileOperand } from './fileOperand.ts'
import type { SortedWords } from './sortWords.ts'

const PACKERS = new Set(
  'gzip gunzip bzip2 bunzip2 xz unxz lzma unlzma zstd unzstd zstdmt pzstd lz4 unlz4 compress uncompress'.split(' '),
)

/** What gpg puts beside a file, under the file's name. */
const SEALED = ['.gpg', '.asc', '.sig']

/**
 * What a packer writes when it unpacks: `x` of `x.gz` and `x_z`, `x.tar` of `x.tgz`. In a folder, with `-r`, the names are known
 * only when it runs. None where all goes to the output. lz4 unpacks by the ending of a name alone; gpg
 * seals and opens likewise.
 */
export function unpackedNames(name: string, { operands, options }: SortedWords): readonly FileOperand[] {
  if (/^gpg2?$/.test(name))
    return operands.flatMap(besides).map((path) => ({ access: 'write', path, isPattern: false }))
  if (!PACKERS.has(name)) return []
  const isUnpacking = /^(?:[gb]?un|lz4$)/.test(name) || options.some((option) => /^-\w*d|^--[du]/.test(option))
  const isShown = options.some((option) => /^-\w*c|^--(?:st|to)/.test(option))
  if (!isUnpacking || isShown) return []
  const isDeep = options.some((option) => /^-\w*r|^--rec/.test(option))
  const paths = isDeep ? ['**'] : operands.flatMap(stemsOf)
  return paths.map((path) => ({ access: 'write', path, isPattern: /[*?[]/.test(path) }))
}

const ENDING = /[._-][a-z\d]{1,6}$/i

function stemsOf(word: Word): readonly string[] {
  if (word.kind === 'literal') return withoutEnding(word.value)
  const patterns = word.kind === 'glob' ? [word.value] : word.found ? undefined : word.patterns
  return (
    patterns?.flatMap((pattern) => {
      const stems = withoutEnding(pattern)
      const [start = ''] = pattern.split(/[*?[]/)
      return start === pattern || stems.length > 0 ? stems : [`${start}*`, ...withoutEnding(start)]
    }) ?? ['**']
  )
}

function besides(word: Word): readonly string[] {
  return word.kind === 'literal' ? [...withoutEnding(word.value), ...SEALED.map((ending) => word.value + ending)] : []
}

function withoutEnding(path: string): readonly string[] {
  const stem = path.replace(ENDING, '')
  return stem === path || stem === '' ? [] : [stem, `${stem}.tar`]
}
