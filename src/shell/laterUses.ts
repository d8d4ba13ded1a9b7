import { resolve } from 'node:path'
import type { PathForms, PathSubject } from '../contracts/subject.ts'

/** A path as it was met from the folder `cwd`: `at` counts the commands before it. A `cd` has no subject. */
export type PathUse = {
  readonly path: PathForms
  readonly cwd: string
  readonly subject?: PathSubject
  /** The name of a remote: without such a remote git takes it for a folder. */
  readonly remote?: string
  /** Which command of the line names it. */
  readonly command: number
  at: number
}

/** A place that may lead elsewhere from `at` on; without forms it may be anywhere. */
export type Made = {
  readonly forms?: readonly string[]
  readonly isLink: boolean
  /** A folder of any name may come to stand in the project. */
  readonly isFolder?: true
  readonly command: number
  at: number
}

/** Beyond this every path counts as used through a made place. */
const MAX_PAIRS = 20_000

/** The paths that a line uses after it has made something there: what is on disk before does not say where they lead. */
export function laterUses(uses: readonly PathUse[], places: readonly Made[]): readonly PathUse[] {
  if (places.length === 0) return []
  if (uses.length * places.length > MAX_PAIRS) return uses
  const isLater = (use: PathUse, { at, command }: Made): boolean => at <= use.at && command !== use.command
  return uses.filter((use) => places.some((place) => isLater(use, place) && mayLeadThrough(use, place)))
}

function mayLeadThrough(use: PathUse, { forms, isLink }: Made): boolean {
  const { path, subject } = use
  if (forms === undefined) return subject !== undefined
  const glob = subject?.glob
  const left = foldersLeft(use)
  return forms.some(
    (place) =>
      left.some((folder) => folder === place || folder.startsWith(`${place}/`)) ||
      [path.lexical, path.resolved, path.physical].some(
        (form) =>
          (isLink && form === place) ||
          form.startsWith(`${place}/`) ||
          (subject?.found !== undefined && place.startsWith(`${form === '/' ? '' : form}/`)) ||
          place === '/' ||
          (glob !== undefined &&
            mayPass(glob.startsWith(path.lexical) ? form + glob.slice(path.lexical.length) : glob, place, isLink)),
      ),
  )
}

/** The folders that the path enters and leaves again by `..`: no form of it names them. */
function foldersLeft({ path, cwd }: PathUse): readonly string[] {
  const { given } = path
  if (!given.includes('..')) return []
  const parts = given.split('/')
  return parts.flatMap((part, index) =>
    part === '..' ? [resolve(cwd, parts.slice(0, index).join('/') || (given.startsWith('/') ? '/' : '.'))] : [],
  )
}

/** Whether some path that fits the glob is the place or lies below it. */
function mayPass(glob: string, place: string, isLink: boolean): boolean {
  if (!glob.startsWith('/')) return true
  const names = place.split('/')
  const parts = glob.split('/').filter((part, index) => index === 0 || (part !== '' && part !== '.'))
  for (const [index, name] of names.entries()) {
    const part = parts[index]
    if (part === undefined) return false
    if (part.includes('**') || part === '..') return true
    if (!fits(part, name)) return false
  }
  return isLink || parts.length > names.length
}

/** Brackets count as any character; too often true, never too seldom. */
function fits(part: string, name: string): boolean {
  const source = part.replace(/\[[^\]]+\]|[.*+?^${}()|[\]\\]/g, (found) =>
    found === '*' ? '.*' : found === '?' || found.length > 1 ? '.' : `\\${found}`,
  )
  return new RegExp(`^${source}$`, 's').test(name)
}
