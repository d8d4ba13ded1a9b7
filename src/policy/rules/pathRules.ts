import { caseFold } from '../matchers/caseFold.ts'
import type { PathPattern } from '../matchers/parsePathPattern.ts'
import type { Rule } from '../Policy.ts'

export type PathRule = { readonly rule: Rule; readonly pattern: PathPattern }

/** Path rules by the folder they start in, then by the last name they require. */
export type PathRules = {
  readonly all: readonly PathRule[]
  readonly buckets: ReadonlyMap<string, Bucket>
  /** Whether folders and names are compared without case: true for deny and ask. */
  readonly isFolded: boolean
}
type Bucket = { readonly byName: Map<string, PathRule[]>; readonly others: PathRule[] }

/** Indexes the rules so that `candidates` is short. */
export function indexPathRules(rules: readonly PathRule[], isFolded: boolean): PathRules {
  const buckets = new Map<string, Bucket>()
  const keyOf = (text: string): string => (isFolded ? caseFold(text) : text)
  for (const entry of rules) {
    const base = keyOf(entry.pattern.base)
    const bucket: Bucket = buckets.get(base) ?? { byName: new Map(), others: [] }
    buckets.set(base, bucket)
    const { lastName } = entry.pattern
    const name = lastName === undefined ? undefined : keyOf(lastName)
    const list = name === undefined ? bucket.others : (bucket.byName.get(name) ?? [])
    list.push(entry)
    if (name !== undefined) bucket.byName.set(name, list)
  }
  return { all: rules, buckets, isFolded }
}

/** All rules that could match the path, including every rule that does. */
export function* candidates({ buckets, isFolded }: PathRules, path: string): Generator<PathRule> {
  if (buckets.size === 0) return
  const text = isFolded ? caseFold(path) : path
  let names: ReadonlySet<string> | undefined
  for (const folder of foldersOf(text)) {
    const bucket = buckets.get(folder)
    if (!bucket) continue
    yield* bucket.others
    if (bucket.byName.size === 0) continue
    names ??= new Set(text.split('/'))
    for (const name of names) yield* bucket.byName.get(name) ?? []
  }
}

/** `/`, `/a`, `/a/b` for `/a/b`. */
function* foldersOf(path: string): Generator<string> {
  for (let slash = path.indexOf('/'); slash !== -1; slash = path.indexOf('/', slash + 1))
    yield path.slice(0, slash) || '/'
  if (path !== '/') yield path
}
