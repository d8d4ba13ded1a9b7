import type { Word } from '../contracts/subject.ts'
import type { FileOperand } from './fileOperand.ts'
import type { SortedWords } from './sortWords.ts'

const PACKERS = new Set(
  (
    'gzip gunzip bzip2 bunzip2 xz unxz lzma unlzma zstd unzstd zstdmt pzstd lz4 unlz4 compress uncompress pigz unpigz lzip ' +
    'plzip lzop brotli unbrotli pbzip2 pbunzip2 lbzip2 lbunzip2 lrzip lrunzip pixz'
  ).split(' '),
)

/** They look for archives by wildcards themselves, and for `x.zip` where there is no `x`. */
const UNZIPS = /^(?:unzip|zipinfo|zipgrep|funzip|zipnote|zipsplit|7z[ar]?|unrar|unar|lsar)$/

/** gzip opens `x.gz` where there is no `x`. */
const GZIPS = /^(?:gzip|gunzip|pigz|unpigz|z(?:cat|less|more|diff|cmp|[ef]?grep))$/
const GZIPPED = ['.gz', '-gz', '.z', '-z', '_z', '.Z']

/** What gpg puts beside a file, under the file's name. */
const SEALED = ['.gpg', '.asc', '.sig']

/**
 * The files of packers that no word spells: those that unpacking writes, `x` of `x.gz` and `x_z`, `x.tar` of `x.tgz`, none where
 * all goes to the output; with `-r` they are known only when it runs. lz4 unpacks by the ending of a name alone; gpg seals and
 * opens likewise. And those that gzip reads in place of what is named.
 */
export function unpackedNames(name: string, { operands, options }: SortedWords): readonly FileOperand[] {
  if (/^gpg2?$/.test(name)) return operands.flatMap((word) => besides(word, SEALED, true)).map(written)
  if (UNZIPS.test(name)) return operands.flatMap(archivesOf)
  const opened = GZIPS.test(name) ? operands.flatMap((word) => besides(word, GZIPPED)) : []
  const reads = opened.map((path): FileOperand => ({ access: 'read', path, isPattern: false }))
  const isUnpacking =
    /^(?:[gb]?un|[pl]bun|lrun|lz4$)/.test(name) || options.some((option) => /^-\w*d|^--[du]/.test(option))
  const isShown = options.some((option) => /^-\w*c|^--(?:st|to)/.test(option))
  if (!PACKERS.has(name) || !isUnpacking || isShown) return reads
  const isDeep = options.some((option) => /^-\w*r|^--rec/.test(option))
  return [...reads, ...(isDeep ? ['**'] : [...opened, ...operands.flatMap(stemsOf)]).map(written)]
}

function written(path: string): FileOperand {
  return { access: 'write', path, isPattern: /[*?[]/.test(path) }
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

function archivesOf(word: Word): readonly FileOperand[] {
  if (word.kind !== 'literal') return []
  return [word.value, ...besides(word, ['.zip', '.ZIP', '.7z', '.rar'])].map((path) => ({
    ...written(path),
    access: 'read',
  }))
}

function besides(word: Word, endings: readonly string[], isOpening = false): readonly string[] {
  if (word.kind !== 'literal') return []
  return [...(isOpening ? withoutEnding(word.value) : []), ...endings.map((ending) => word.value + ending)]
}

function withoutEnding(path: string): readonly string[] {
  const stem = path.replace(ENDING, '')
  return stem === path || stem === '' ? [] : [stem, `${stem}.tar`]
}
