import type { FoundFiles, PathForms, PathSubject, Word } from '../contracts/subject.ts'
import { copiedPaths } from './copiedPaths.ts'
import { foundPaths } from './foundPaths.ts'
import type { LinkOnTheWay, ShellContext } from './shellContext.ts'
import type { SortedWords } from './sortWords.ts'
import { isOdd } from './walkGlob.ts'

/** A file that a command's words name. */
export type FileOperand = {
  readonly access: PathSubject['access']
  readonly path: string
  /** Only a pattern is known: `*` and `?` stay in one name, `**` is anything. */
  readonly isPattern: boolean
  /** The shell itself expands the pattern, to what is there. */
  readonly isGlob?: true
  /** What lies below it is meant too: it is moved, removed or copied whole. */
  readonly isTree?: boolean
  /** A folder takes this name with all that is in it, unless a folder is there already. */
  readonly isNewName?: true
  /** It is written in a folder, through a link that stands there under its name. */
  readonly isEntry?: true
  /** The command may not mean a file by it. */
  readonly isGuess?: boolean
  /** The command never looks for it behind a link. */
  readonly isTracked?: boolean
  /** It is any of these, at or below the path. */
  readonly found?: FoundFiles
  /** What a tree holds comes to stand there. */
  readonly copied?: CopiedTree
  /** It is written for certain, as by a redirect: a rule must allow it. */
  readonly isTarget?: boolean
  /** The word or words that name it as an output: a rule that spells them allows it. */
  readonly output?: readonly string[]
}

/** A folder, or with wildcards some paths, copied with all below; its own name is kept, left out, or either. */
export type CopiedTree = {
  readonly from: string
  readonly isGlob: boolean
  readonly name: 'kept' | 'dropped' | 'either'
}

/** The files that one word may become; none for `-`, which is the input. */
export function fileOf(word: Word, access: FileOperand['access'], isTree = false): FileOperand[] {
  const tree = isTree ? { isTree } : {}
  if (word.kind !== 'literal' && word.found) {
    const { found } = word
    return found.starts.map((path) => ({ access, path, isPattern: false, found, ...tree }))
  }
  if (word.kind === 'dynamic') {
    const patterns = word.patterns ?? [`${escapeGlob(word.prefix ?? '')}**${escapeGlob(word.suffix ?? '')}`]
    return mayGoUp(patterns).map((path) => ({ access, path, isPattern: /[*?[]/.test(path), ...tree }))
  }
  if (word.value === '' || word.value === '-') return []
  const paths = word.kind === 'glob' ? mayGoUp([word.value]) : [word.value]
  const glob = word.kind === 'glob' ? { isGlob: true as const } : {}
  return paths.map((path) => ({ access, path, isPattern: word.kind === 'glob', ...glob, ...tree }))
}

/** What is known only when it runs may lead out of the folder before it, by `..` and by links: then it is any file. */
function mayGoUp(patterns: readonly string[]): readonly string[] {
  return patterns.some((path) => path.lastIndexOf('**') > 0) ? [...patterns, '**'] : patterns
}

/** Files that stand behind an option in the same word: `--file=x`, `-fx`. */
export function fromValues({ values, glued }: SortedWords, access: FileOperand['access']): FileOperand[] {
  const known = values.map((path): FileOperand => ({ access, path, isPattern: false }))
  return [...known, ...glued.flatMap((word) => fileOf(word, access))]
}

/** Literal text inside a pattern: what would be read as a wildcard may be any character. */
export function escapeGlob(text: string): string {
  return text.replace(/[*?[\]{}\\]/g, '?')
}

/** What an operand is judged with: where it starts, and the looks at the disk. */
export type OperandPlace = {
  readonly cwd: string
  resolve(path: string): PathForms
  readonly disk?: Pick<ShellContext, 'linksOf' | 'matches' | 'below' | 'tree'>
}

const NO_UTF8 = 'the pattern fits a name that is no UTF-8, of which it cannot be said where it leads'

/** The subject of an operand; a pattern stands in the folder that its literal part names, and where links on its way lead. */
export function operandSubject(file: FileOperand, place: OperandPlace): PathSubject {
  const { access, path } = file
  const { cwd, resolve, disk } = place
  if (!file.isPattern) {
    const forms = resolve(path)
    const subject: PathSubject = { kind: 'path', access, path: forms, source: 'operand' }
    if (file.copied) return { ...subject, found: copiedPaths(file.copied, forms, place) }
    if (file.found) return { ...subject, found: foundPaths(file.found, file, forms, place) }
    const isTree = file.isTree === true || (file.isNewName === true && !isThere(forms.physical, place))
    return { ...subject, ...treeOf({ ...file, isTree }, forms, undefined, place) }
  }
  const folder = /^[^*?[]*\//.exec(path)?.[0] ?? ''
  const forms = resolve(folder === '' ? '.' : folder)
  const base = folder === '' ? cwd : forms.lexical
  const rest = path.slice(folder.length)
  const isAnything = path.includes('**')
  const found = isAnything || file.isTracked ? [] : disk?.linksOf(forms.physical, rest)
  const isUnreadable = found?.some(({ link }) => isOdd(link)) === true
  const isTooMuch = disk !== undefined && found === undefined
  const glob = isTooMuch ? '**' : path.startsWith('**') ? path : `${base === '/' ? '' : base}/${rest}`
  const links = (found ?? []).map((each) => leadOf(each, resolve))
  const tree = treeOf(file, forms, isAnything ? '**' : rest, place)
  const subject: PathSubject = {
    kind: 'path',
    access,
    path: { ...forms, given: path, ...(isUnreadable ? { problem: NO_UTF8 } : {}) },
    source: 'operand',
    glob,
    ...tree,
    ...((access === 'read' || file.isGlob) && !glob.includes('**') ? matchesOf(rest, forms, place) : {}),
  }
  return links.length === 0 ? subject : { ...subject, links: [...new Set(links)] }
}

/** Whether a file or folder of this name is there; a link that leads nowhere is not. */
function isThere(path: string, { disk }: OperandPlace): boolean {
  const cut = path.lastIndexOf('/')
  const name = path.slice(cut + 1).replace(/[*?[\]{}\\]/g, '\\$&')
  return disk?.matches(path.slice(0, cut) || '/', name)?.length === 1
}

/** So many matches are resolved at most. */
const MAX_MATCHES = 5_000

/** What the glob fits, by every form of the names. */
function matchesOf(glob: string, forms: PathForms, { disk, resolve }: OperandPlace): Pick<PathSubject, 'matches'> {
  if (disk === undefined || mayClimb(glob)) return {}
  const { lexical, resolved, physical } = forms
  return {
    matches: () => {
      const found = disk.matches(physical, glob)
      const hasLinks = disk.linksOf(physical, glob)?.length !== 0
      if (found === undefined || (hasLinks && found.length > MAX_MATCHES)) return undefined
      const others = [...new Set([lexical, resolved])].filter((form) => form !== physical)
      const behind = hasLinks ? found.map((path) => resolve(path)) : []
      return found.concat(
        others.flatMap((form) => found.map((path) => form + path.slice(physical.length))),
        behind.flatMap((each) => [each.resolved, each.physical]),
      )
    },
  }
}

/** `..`, and in older shells `.*`, among the folders. */
function mayClimb(glob: string): boolean {
  const parts = glob.split('/')
  return parts.includes('..') || parts.slice(0, -1).some((part) => /^\..*[*?[]/.test(part))
}

function leadOf({ link, rest }: LinkOnTheWay, resolve: OperandPlace['resolve']): string {
  const end = escapeGlob(resolve(link).physical)
  return rest === '' ? end : `${end === '/' ? '' : end}/${rest}`
}

/** A tree, and what is in it by every form of its name. */
function treeOf(
  { isTree }: FileOperand,
  { lexical, resolved, physical }: PathForms,
  glob: string | undefined,
  { disk }: OperandPlace,
): Pick<PathSubject, 'isTree' | 'below'> {
  if (!isTree) return {}
  if (disk === undefined || glob === '**') return { isTree }
  const others = [...new Set([lexical, resolved])].filter((form) => form !== physical)
  const below = (): readonly string[] | undefined => {
    const found = disk.below(physical, glob)
    return found?.concat(others.flatMap((form) => found.map((path) => form + path.slice(physical.length))))
  }
  return { isTree, below }
}
