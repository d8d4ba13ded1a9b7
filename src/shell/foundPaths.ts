import type { FoundFiles, FoundPaths, PathForms } from '../contracts/subject.ts'
import { fitsGlob } from './fitsGlob.ts'
import { isOneWord } from './isOneWord.ts'
import type { ShellContext } from './shellContext.ts'

type Place = { resolve(path: string): PathForms; readonly disk?: Pick<ShellContext, 'tree'> }
type Start = { readonly path: string; readonly isTree?: boolean }

/** The files that were found at and below a start, as the disk has them now. With `isTree` all that is below counts. */
export function foundPaths(wanted: FoundFiles, start: Start, forms: PathForms, place: Place): FoundPaths {
  const { names, except, isPicked, isUnclear } = wanted
  let known: readonly string[] | undefined | null = null
  const files = (): readonly string[] | undefined => {
    if (known === null) known = list(wanted, start, forms, place)
    return known
  }
  return {
    ...(names && !start.isTree ? { names } : {}),
    ...(except ? { except } : {}),
    ...(isPicked ? { isPicked } : {}),
    ...(isUnclear ? { isUnclear } : {}),
    key: JSON.stringify([wanted, start]),
    files,
  }
}

function list(wanted: FoundFiles, start: Start, forms: PathForms, place: Place): readonly string[] | undefined {
  if (wanted.isUnclear) return undefined
  const isAlone = wanted.isSpelt && !start.isTree
  const entries = isAlone ? [] : place.disk?.tree(forms.physical, wanted.isFollowing === true)
  if (entries === undefined) return undefined
  if (wanted.isSplit && entries.some(({ path }) => path.includes('\n'))) return undefined
  const bases = [...new Set([forms.lexical, forms.resolved, forms.physical])]
  const isWanted = wantedBy(wanted, start)
  const found = new Set<string>()
  for (const { path, isLink, target } of [{ path: '', isLink: false, target: undefined }, ...entries]) {
    const printed = printedAs(path, start, wanted)
    if (!isWanted(printed)) continue
    if (wanted.isSplit && !isOneWord(printed)) return undefined
    if (wanted.isBare && printed.startsWith('-')) return undefined
    for (const base of bases) found.add(path === '' ? base : `${base === '/' ? '' : base}/${path}`)
    if (target !== undefined) found.add(target)
    if (!isLink) continue
    const { lexical, resolved, physical } = place.resolve(target ?? `${forms.physical}/${path}`)
    for (const form of [lexical, resolved, physical]) found.add(form)
  }
  return [...found]
}

function printedAs(path: string, start: Start, { isBare }: FoundFiles): string {
  if (path === '') return start.path
  return isBare && start.path === '.' ? path : `${start.path}${start.path.endsWith('/') ? '' : '/'}${path}`
}

function wantedBy({ names, except = [] }: FoundFiles, { isTree }: Start): (printed: string) => boolean {
  if (isTree) return () => true
  const wide = names?.map(widened)
  return (printed) => {
    const text = printed.toLowerCase()
    const name = /([^/]*)\/*$/.exec(text)?.[1] ?? ''
    if (wide && !wide.some((glob) => fitsGlob(glob.includes('/') ? text : name, glob))) return false
    return printed.includes('\ufffd') || !except.some((glob) => fitsGlob(printed, glob))
  }
}

/** A plain bracket is one character; from any other bracket or a backslash on anything fits. */
function widened(glob: string): string {
  const plain = glob.replace(/\[[!^]?[\w.-]+\]/g, '?')
  const end = plain.search(/[[\\]/)
  return (end < 0 ? plain : `${plain.slice(0, end)}*`).toLowerCase()
}
