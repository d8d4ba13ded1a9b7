import type { Word } from '../contracts/subject.ts'
import { type CopiedTree, type FileOperand, fileOf } from './fileOperand.ts'
import { hasShortOption, isLongOption } from './optionSpelling.ts'
import type { SortedWords } from './sortWords.ts'

/** A copy, move or link as its words say it. */
export type Copy = {
  readonly sources: readonly Word[]
  readonly target: Word | undefined
  /** The target is a folder for certain. */
  readonly isInto: boolean
  /** What is made has a second name: a hard or symbolic link. */
  readonly isLinking: boolean
  /** Folders and links are taken whole. */
  readonly isDeep: boolean
}

export function readCopy(name: string, words: SortedWords): Copy {
  const has = hasOption(words)
  const { sources, target, isGiven } = splitTarget(name, words)
  const isNamed = target?.kind === 'literal' && target.value.endsWith('/')
  return {
    sources,
    target,
    isInto: isGiven || isNamed || sources.length > 1,
    isLinking: name === 'ln' || name === 'link' || (name === 'cp' && has('ls', 'link', 'symbolic-link')),
    isDeep: name === 'mv' || name === 'rsync' || has('rRa', 'recursive', 'archive'),
  }
}

/** What `cp`, `mv`, `ln`, `install` and the like read and write. */
export function copyOperands(name: string, words: SortedWords): FileOperand[] {
  const has = hasOption(words)
  if (name === 'install' && has('d', 'directory')) return words.operands.flatMap((word) => fileOf(word, 'write'))
  const { sources, target, isLinking, isDeep } = readCopy(name, words)
  const found = sources.flatMap((word) => {
    const read = fileOf(word, 'read', isDeep)
    return name === 'mv' || isLinking ? [...read, ...fileOf(word, 'write', name === 'mv')] : read
  })
  if (target === undefined) return found
  const isWhole = has('T', 'no-target-directory') || sources.some((word) => meansContents(word, name))
  const isNewName = name === 'mv' || name === 'ln' ? ({ isNewName: true } as const) : {}
  const targets = fileOf(target, 'write', isDeep && isWhole).map((file) => ({ ...file, ...isNewName }))
  const isLooked = (word: Word): boolean => target.kind === 'literal' && isPlainGlob(word)
  const trees = isDeep && name !== 'mv' ? sources : sources.filter(isLooked)
  const copied = trees.flatMap((word) => copiedTree(word, target, name, words))
  const named = sources.filter((word) => !isLooked(word))
  const aside = keptAside([...targets, ...inside(target, sources, isDeep)], words)
  const whole =
    has('', 'parents') || (name === 'rsync' && has('R', 'relative')) ? withFolders(target, sources, isDeep) : []
  const isAnywhere = target.kind !== 'literal' && (isDeep || target.found !== undefined)
  const others = isAnywhere ? [ANYTHING] : [...aside, ...whole]
  const entries = [...inside(target, named, isDeep), ...copied]
  const isFollowing = name === 'cp' || name === 'install'
  const written = isFollowing ? entries.map((file): FileOperand => ({ ...file, isEntry: true })) : entries
  return [...found, ...targets, ...written, ...others]
}

/** What the disk can be asked about. */
function isPlainGlob(word: Word): boolean {
  if (word.kind === 'literal' || word.found) return false
  const globs = word.kind === 'glob' ? [word.value] : (word.patterns ?? ['**'])
  return globs.every((glob) => !glob.includes('**'))
}

/** With `--parents` the whole path of a source comes to stand below the target. */
function withFolders(target: Word, sources: readonly Word[], isDeep: boolean): readonly FileOperand[] {
  return sources.flatMap((word) => {
    if (isDeep || target.kind !== 'literal' || word.kind !== 'literal') return [ANYTHING]
    return fileOf({ kind: 'literal', value: `${target.value}/${word.value}` }, 'write')
  })
}

const ANYTHING: FileOperand = { access: 'write', path: '**', isPattern: true }

/** With `-S` what was there before is kept under its name and a suffix; any name can be made so. */
function keptAside(written: readonly FileOperand[], { options, next }: SortedWords): FileOperand[] {
  return options.flatMap((option, index) => {
    const isLong = isLongOption(option, 'suffix')
    const [, short] = /^-[A-RT-Za-su-z]*S([\s\S]*)$/.exec(option) ?? []
    if (!isLong && short === undefined) return []
    const attached = isLong ? /=([\s\S]*)$/.exec(option)?.[1] : short || undefined
    const word: Word | undefined = attached === undefined ? next[index] : { kind: 'literal', value: attached }
    if (word?.kind !== 'literal') return [ANYTHING]
    return written.map((file) => ({ ...file, path: `${file.path.replace(/\/+$/, '')}${word.value}` }))
  })
}

/** What the source holds comes to stand in the target: under its name where that is a folder, in its place where not. */
function copiedTree(word: Word, target: Word, name: string, words: SortedWords): FileOperand[] {
  if (target.kind !== 'literal') return []
  const globs = word.kind === 'glob' ? [word.value] : word.kind === 'dynamic' ? (word.patterns ?? ['**']) : []
  if (globs.some((glob) => glob.includes('**'))) return [ANYTHING]
  const isInto = readCopy(name, words).isInto || /^\.{0,2}$|\/\.{0,2}$/.test(target.value)
  const isPlace = hasOption(words)('T', 'no-target-directory')
  const isDropped = isPlace || meansContents(word, name)
  const kept = isDropped ? 'dropped' : isInto ? 'kept' : 'either'
  const trees: readonly CopiedTree[] =
    word.kind === 'literal'
      ? [{ from: word.value, isGlob: false, name: kept }]
      : globs.map((from) => ({ from, isGlob: true, name: kept }))
  return trees.map((copied) => ({ access: 'write', path: target.value, isPattern: false, copied }))
}

function hasOption({ options }: SortedWords): (letters: string, ...long: readonly string[]) => boolean {
  return (letters, ...long) =>
    options.some((option) => hasShortOption(option, letters) || long.some((each) => isLongOption(option, each)))
}

/** Which operands are copied, and where to: the last one, or what `-t` names. */
function splitTarget(name: string, { operands, options, next }: SortedWords) {
  for (const [index, option] of options.entries()) {
    if (name === 'rsync' || name === 'scp') break
    const [, short] = /^-[A-RT-Za-fh-ln-z]*?t([\s\S]*)$/.exec(option) ?? []
    const isLong = isLongOption(option, 'target-directory')
    if (short === undefined && !isLong) continue
    const value = isLong ? /=([\s\S]*)$/.exec(option)?.[1] : short === '' ? undefined : short
    const target: Word | undefined = value === undefined ? next[index] : { kind: 'literal', value }
    return { sources: operands.filter((word) => word !== target), target, isGiven: true }
  }
  if (operands.length > 1) return { sources: operands.slice(0, -1), target: operands.at(-1), isGiven: false }
  const here: Word | undefined = name === 'ln' ? { kind: 'literal', value: '.' } : undefined
  return { sources: operands, target: here, isGiven: here !== undefined }
}

/** `dir/.` and `..` are copied without their name; so is `dir/` by rsync. */
function meansContents(word: Word, name: string): boolean {
  if (word.kind !== 'literal') return false
  return /(?:^|\/)\.{1,2}\/*$/.test(word.value) || (name === 'rsync' && word.value.endsWith('/'))
}

/** A copy into a folder writes the file of the same name there. */
export function inside(target: Word, sources: readonly Word[], isDeep: boolean): FileOperand[] {
  if (target.kind !== 'literal') return []
  return sources.flatMap((word) => {
    if (word.kind === 'literal')
      return fileOf({ kind: 'literal', value: `${target.value}/${baseName(word.value)}` }, 'write', isDeep)
    const names = word.found?.names
    const patterns = names?.every((name) => !name.includes('/'))
      ? names.flatMap(asShown)
      : word.kind === 'glob'
        ? [word.value]
        : (word.patterns ?? ['*'])
    return patterns
      .flatMap((each) => fileOf({ kind: 'glob', value: `${target.value}/${baseName(each)}` }, 'write', isDeep))
      .map(({ isGlob, ...file }) => file)
  })
}

/** A name as find has it, whose wildcards stand for a dot in front too. */
function asShown(name: string): readonly string[] {
  return /^[*?[]/.test(name) ? [name, `.${name}`] : [name]
}

function baseName(path: string): string {
  return path.replace(/\/+$/, '').split('/').at(-1) ?? ''
}
