import type { PathForms, PathSubject, Word } from '../contracts/subject.ts'
import type { SortedWords } from './sortWords.ts'

/** A file that a command's words name. */
export type FileOperand = {
  readonly access: PathSubject['access']
  readonly path: string
  /** Only a pattern is known: `*` and `?` stay in one name, `**` is anything. */
  readonly isPattern: boolean
  /** What lies below it is meant too: it is moved, removed or copied whole. */
  readonly isTree?: boolean
  /** The command may not mean a file by it. */
  readonly isGuess?: boolean
  /** The command never looks for it behind a link. */
  readonly isTracked?: boolean
  /** It is written for certain, as by a redirect: a rule must allow it. */
  readonly isTarget?: boolean
}

/** The files that one word may become; none for `-`, which is the input. */
export function fileOf(word: Word, access: FileOperand['access'], isTree = false): FileOperand[] {
  const tree = isTree ? { isTree } : {}
  if (word.kind === 'dynamic') {
    const patterns = word.patterns ?? [`${escapeGlob(word.prefix ?? '')}**${escapeGlob(word.suffix ?? '')}`]
    return patterns.map((path) => ({ access, path, isPattern: true, ...tree }))
  }
  if (word.value === '' || word.value === '-') return []
  return [{ access, path: word.value, isPattern: word.kind === 'glob', ...tree }]
}

/** Files that stand behind an option in the same word: `--file=x`, `-fx`. */
export function fromValues({ values }: SortedWords, access: FileOperand['access']): FileOperand[] {
  return values.map((path) => ({ access, path, isPattern: false }))
}

/** Literal text inside a pattern: what would be read as a wildcard may be any character. */
export function escapeGlob(text: string): string {
  return text.replace(/[*?[\]{}\\]/g, '?')
}

/** The subject of an operand; a pattern stands in the folder that its literal part names. */
export function operandSubject(file: FileOperand, resolve: (path: string) => PathForms, cwd: string): PathSubject {
  const { access, path } = file
  const tree = file.isTree ? { isTree: true as const } : {}
  if (!file.isPattern) return { kind: 'path', access, path: resolve(path), source: 'operand', ...tree }
  const folder = /^[^*?[]*\//.exec(path)?.[0] ?? ''
  const forms = resolve(folder === '' ? '.' : folder)
  const base = folder === '' ? cwd : forms.lexical
  const glob = path.startsWith('**') ? path : `${base === '/' ? '' : base}/${path.slice(folder.length)}`
  return { kind: 'path', access, path: { ...forms, given: path }, source: 'operand', glob, ...tree }
}
