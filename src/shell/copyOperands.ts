import type { Word } from '../contracts/subject.ts'
import { type FileOperand, fileOf } from './fileOperand.ts'
import { hasShortOption, isLongOption } from './optionSpelling.ts'
import type { SortedWords } from './sortWords.ts'

/** What `cp`, `mv`, `ln`, `install` and the like read and write. */
export function copyOperands(name: string, words: SortedWords): FileOperand[] {
  const { operands, options } = words
  const has = (letters: string, ...long: readonly string[]): boolean =>
    options.some((option) => hasShortOption(option, letters) || long.some((each) => isLongOption(option, each)))
  if (name === 'install' && has('d', 'directory')) return operands.flatMap((word) => fileOf(word, 'write'))
  const { sources, target } = splitTarget(name, words)
  const isLinking = name === 'ln' || name === 'link' || (name === 'cp' && has('ls', 'link', 'symbolic-link'))
  const isDeep = name === 'mv' || name === 'rsync' || has('rRa', 'recursive', 'archive')
  const found = sources.flatMap((word) => {
    const read = name === 'mv' ? [] : fileOf(word, 'read', isDeep)
    return name === 'mv' || isLinking ? [...read, ...fileOf(word, 'write', name === 'mv')] : read
  })
  if (target === undefined) return found
  const isWhole = has('T', 'no-target-directory') || sources.some((word) => meansContents(word, name))
  return [...found, ...fileOf(target, 'write', isDeep && isWhole), ...inside(target, sources, isDeep)]
}

/** Which operands are copied, and where to: the last one, or what `-t` names. */
function splitTarget(name: string, { operands, options, next }: SortedWords) {
  for (const [index, option] of options.entries()) {
    if (name === 'rsync' || name === 'scp') break
    const [, short] = /^-\w*?t([\s\S]*)$/.exec(option) ?? []
    const isLong = isLongOption(option, 'target-directory')
    if (short === undefined && !isLong) continue
    const value = isLong ? /=([\s\S]*)$/.exec(option)?.[1] : short === '' ? undefined : short
    const target: Word | undefined = value === undefined ? next[index] : { kind: 'literal', value }
    return { sources: operands.filter((word) => word !== target), target }
  }
  if (operands.length > 1) return { sources: operands.slice(0, -1), target: operands.at(-1) }
  const here: Word | undefined = name === 'ln' ? { kind: 'literal', value: '.' } : undefined
  return { sources: operands, target: here }
}

/** `dir/.` and `..` are copied without their name; so is `dir/` by rsync. */
function meansContents(word: Word, name: string): boolean {
  if (word.kind !== 'literal') return false
  return /(?:^|\/)\.{1,2}\/*$/.test(word.value) || (name === 'rsync' && word.value.endsWith('/'))
}

/** A copy into a folder writes the file of the same name there. */
function inside(target: Word, sources: readonly Word[], isDeep: boolean): FileOperand[] {
  if (target.kind !== 'literal') return []
  return sources.flatMap((word) => {
    if (word.kind !== 'literal') return fileOf({ kind: 'glob', value: `${target.value}/*` }, 'write', isDeep)
    const base = word.value.replace(/\/+$/, '').split('/').at(-1)
    return fileOf({ kind: 'literal', value: `${target.value}/${base}` }, 'write', isDeep)
  })
}
