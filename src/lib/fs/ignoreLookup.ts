import { dirname, join } from 'node:path'
import ignore, { type Ignore } from 'ignore'
import { memoize } from '../memoize.ts'
import { isWithin } from './isWithin.ts'

export type IgnoreOptions = {
  /** The base of `.gitignore` files: the top folder of the repository, or the root outside a repository. */
  readonly top: string
  /** The text of a file before the command; undefined if there is none. */
  read(path: string): string | undefined
  /** Rule files with lower priority than all `.gitignore` files, the weakest first: `info/exclude`, the user's own. */
  readonly outer: readonly string[]
  /** Rules for a folder that is not in a git repository. */
  readonly plain?: readonly string[]
}

/** The topmost ignored entry at or above the path; `undefined`: not ignored. A path above or beside `top` is never ignored. */
export type FindIgnored = (path: string, isFolder: boolean) => string | undefined

type Rules = { readonly folder: string; readonly text: string; readonly own: Ignore }

/**
 * Looks a path up as git does, from the top down. In each folder, the innermost file with a rule for an entry decides,
 * and nothing below an ignored folder comes back. Reads every file once.
 */
export function createIgnoreLookup({ top, read, outer, plain = [] }: IgnoreOptions): FindIgnored {
  const weakest = [...outer.map((file) => read(file) ?? ''), plain.join('\n')]
    .filter((text) => text.trim() !== '')
    .map((text) => rulesOf(top, text))
  const rulesIn = memoize((folder): readonly Rules[] => {
    const above = folder === top ? weakest : rulesIn(dirname(folder)).map((rules) => openedFor(folder, rules))
    const text = read(join(folder, '.gitignore'))
    return text === undefined ? above : [...above, rulesOf(folder, text)]
  })
  const lookUpFolder = memoize((path): string | undefined => lookUp(path, true))
  const lookUp = (path: string, isFolder: boolean): string | undefined => {
    if (path === top || !isWithin(path, top)) return undefined
    const parent = dirname(path)
    const above = lookUpFolder(parent)
    if (above !== undefined) return above
    for (const { folder, own } of rulesIn(parent).toReversed()) {
      const { ignored, unignored } = own.test(nameIn(folder, path) + (isFolder ? '/' : ''))
      if (ignored || unignored) return ignored ? path : undefined
    }
    return undefined
  }
  return (path, isFolder) => (isFolder ? lookUpFolder(path) : lookUp(path, false))
}

/**
 * The same rules for the content of a folder that is not ignored. If they alone would ignore it, an inner rule brought
 * it back, so they are not applied to it again.
 */
function openedFor(path: string, rules: Rules): Rules {
  const name = nameIn(rules.folder, path)
  if (!rules.own.test(`${name}/`).ignored) return rules
  return rulesOf(rules.folder, `${rules.text}\n!/${name.replace(/[\\*?[\]!# ]/g, '\\$&')}/`)
}

/** Of a path below the folder. */
function nameIn(folder: string, path: string): string {
  return path.slice(folder.length + (folder.endsWith('/') ? 0 : 1))
}

function rulesOf(folder: string, text: string): Rules {
  return { folder, text, own: ignore({ ignorecase: false, allowRelativePaths: true }).add(text) }
}
