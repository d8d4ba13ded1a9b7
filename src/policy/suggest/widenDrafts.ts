import { posix } from 'node:path'
import { type Draft, mayEndInWildcard } from './draftRule.ts'

/** A draft that a rule can be made from, and the calls that need it. */
export type Wanted = { readonly draft: Exclude<Draft, { kind: 'refused' }>; readonly from: readonly string[] }

type Command = Wanted & { readonly draft: Extract<Draft, { kind: 'command' }> }
type Path = Wanted & { readonly draft: Extract<Draft, { kind: 'path' }> }

/**
 * Fewer and wider drafts. Commands that differ only in options, paths and numbers become one open rule. Files below one
 * folder of the project become their deepest common folder. What must not stay open is unchanged.
 */
export function widenDrafts(wanted: readonly Wanted[]): readonly Wanted[] {
  const commands = wanted.filter((each): each is Command => each.draft.kind === 'command')
  const paths = wanted.filter((each): each is Path => each.draft.kind === 'path')
  const others = wanted.filter(({ draft }) => draft.kind === 'whole')
  return [
    ...groupBy(commands, ({ draft }) => draft.words[0] ?? '').flatMap(openCommands),
    ...groupBy(paths, placeOf).flatMap(openPaths),
    ...groupBy(others, ({ draft }) => JSON.stringify(draft)).flatMap((group) => joined(group)),
  ]
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): readonly (readonly T[])[] {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group === undefined) groups.set(keyOf(item), [item])
    else group.push(item)
  }
  return [...groups.values()]
}

/** Merges equal drafts. */
function joined<T extends Wanted>(group: readonly T[]): readonly T[] {
  const [first] = group
  return first === undefined ? [] : [{ ...first, from: allFrom(group) }]
}

function allFrom(group: readonly Wanted[]): readonly string[] {
  return [...new Set(group.flatMap(({ from }) => from))]
}

/** Commands of one program. */
function openCommands(group: readonly Command[]): readonly Wanted[] {
  const distinct = groupBy(group, ({ draft }) => JSON.stringify(draft)).flatMap(joined)
  if (distinct.length === 1) return distinct
  const fixed = commonWords(distinct)
  const isFree = ({ draft }: Command) => isOperand(draft.words[fixed.length])
  const free = distinct.filter(isFree)
  const named = distinct.filter((each) => !isFree(each))
  const split = (commands: readonly Command[]) =>
    groupBy(commands, ({ draft }) => draft.words[fixed.length] ?? '').flatMap((each) =>
      each.length === distinct.length ? each : openCommands(each),
    )
  if (free.length < 2 || !mayEndInWildcard(fixed)) return split(distinct)
  return [{ draft: { kind: 'command', words: fixed, isOpen: true }, from: allFrom(free) }, ...split(named)]
}

function commonWords(commands: readonly Command[]): readonly string[] {
  const [first, ...others] = commands.map(({ draft }) => draft.words)
  const end = first?.findIndex((word, at) => others.some((words) => words[at] !== word)) ?? 0
  return first?.slice(0, end < 0 ? undefined : end) ?? []
}

/** True for a word that says what to work on, so not a subcommand or script name; also true without a word. */
function isOperand(word: string | undefined): boolean {
  return word === undefined || /^[-'\d]|[./~^=@]/.test(word)
}

/** Files of one project folder are merged. Files in the root, in a hidden folder, or outside stay separate. */
function placeOf({ draft: { access, path } }: Path): string {
  const [top = '', ...below] = path.split('/')
  const isAlone = below.length === 0 || top === '' || top.startsWith('.')
  return `${access} ${isAlone ? path : `${top}/`}`
}

function openPaths(group: readonly Path[]): readonly Wanted[] {
  const distinct = groupBy(group, ({ draft }) => draft.path).flatMap(joined)
  const [first, ...others] = distinct
  if (first === undefined || others.length === 0) return distinct
  const folder = distinct.map(({ draft }) => posix.dirname(draft.path)).reduce(commonFolder)
  return [{ draft: { ...first.draft, path: `${folder}/**` }, from: allFrom(distinct) }]
}

function commonFolder(a: string, b: string): string {
  const [left, right] = [a.split('/'), b.split('/')]
  const end = left.findIndex((part, at) => part !== right[at])
  return left.slice(0, end < 0 ? undefined : end).join('/')
}
