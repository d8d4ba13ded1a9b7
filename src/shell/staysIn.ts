import type { PathForms, Word } from '../contracts/subject.ts'
import { isWithin } from '../lib/isWithin.ts'
import { foundPaths } from './foundPaths.ts'
import { resolveValue, type Walk } from './walk.ts'

/** These take a link itself, not what it leads to. */
const OF_LINKS = new Set(['rm', 'rmdir', 'unlink'])

/**
 * Whether a word that names a place below a folder (`dist/a`, `--out=dist/a`) is there also where links lead: a rule on what
 * is below the folder does not cover what a link in it leads to. To be asked as long as the command has not run.
 */
export function staysIn(argv: readonly Word[], { context, cwd }: Walk): (word: Word, folder: string) => boolean {
  const place = { context, cwd }
  const isOfLinks = argv[0]?.kind === 'literal' && OF_LINKS.has(argv[0].value)
  const resolve = (path: string): PathForms => resolveValue(path, place)
  const ends = (path: string): readonly string[] => {
    const at = isOfLinks ? path.lastIndexOf('/') : -1
    const { resolved, physical } = resolve(at > 0 && at < path.length - 1 ? path.slice(0, at) : path)
    return [resolved, physical]
  }
  const files = (word: Word): readonly string[] | undefined => {
    if (word.kind === 'dynamic') return undefined
    const path = placeOf(word.value)
    if (word.kind === 'literal') return [path]
    const { found } = word
    if (found === undefined) return context.matches(path.startsWith('/') ? '/' : (cwd ?? context.root), path)
    const all = found.starts.map((start) =>
      foundPaths(found, { path: start }, resolve(start), { resolve, disk: context }),
    )
    const lists = all.map((each) => each.files())
    return lists.every((list) => list !== undefined) ? lists.flat() : undefined
  }
  return (word, folder) => {
    if (cwd === undefined) return true
    const home = folder.startsWith('~/') ? `${context.home}${folder.slice(1)}` : folder
    const { resolved } = resolve(home)
    return files(word)?.every((path) => ends(path).every((end) => isWithin(end, resolved))) === true
  }
}

/** What stands behind the name of an option. */
function placeOf(value: string): string {
  return value.startsWith('-') ? value.slice(value.indexOf('=') + 1) : value
}
