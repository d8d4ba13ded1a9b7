import type { FoundFiles, Word } from '../contracts/subject.ts'

/** A part of find's expression: a test or action with its argument, or a group in parentheses. */
type Term = { readonly text: string; readonly value: string; readonly isNegated: boolean; readonly group?: Or }
/** Terms that must all hold, and the alternatives of an `-o`. */
type And = readonly Term[]
type Or = readonly And[]

const TESTS = new Set('-empty -readable -writable -executable -nouser -nogroup -true -false'.split(' '))
const GLOBAL = new Set('-xdev -mount -depth -noleaf -noignore_readdir_race -prune'.split(' '))
const VALUED = new Set(
  (
    '-type -name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -maxdepth -mindepth -size -mtime ' +
    '-mmin -atime -amin -ctime -cmin -newer -anewer -cnewer -perm -user -group -uid -gid -links -inum -samefile -xtype'
  ).split(' '),
)
const PRINTS = new Set(['-print', '-print0'])
const MAX_GROUPS = 8

/** The paths that a `find` of literal words prints; undefined where it does more, or follows links. */
export function readFind(argv: readonly Word[]): FoundFiles | undefined {
  const words = argv.slice(1).map((word) => (word.kind === 'literal' ? word.value : undefined))
  if (!words.every((word) => word !== undefined)) return undefined
  const given = words[0] === '-P' ? words.slice(1) : words
  const end = given.findIndex((word) => /^(?:-|[(!,)]$)/.test(word))
  const starts = end < 0 ? given : given.slice(0, end)
  const expression = end < 0 ? undefined : readOr(given.slice(end), 0)
  if (end >= 0 && (expression === undefined || expression.rest.length > 0)) return undefined
  const alternatives = expression?.or ?? []
  const prints = alternatives.flatMap((and) => and.filter(({ text }) => PRINTS.has(text)))
  const isNul = prints.some(({ text }) => text === '-print0')
  if (isNul && prints.some(({ text }) => text === '-print')) return undefined
  const printing = prints.length > 0 ? alternatives.filter((and) => and.some(isPrint)).map(untilPrint) : alternatives
  const isHidden = alternatives.some(hasHiddenPrint)
  const names = isHidden ? undefined : namesOf(printing)
  const [only, ...others] = printing
  const except = others.length === 0 && !isHidden ? (only ?? []).flatMap(exceptOf) : []
  return {
    starts: starts.length > 0 ? starts : ['.'],
    ...(names === undefined ? {} : { names }),
    ...(alternatives.some((and) => and.some(isPicking)) ? { isPicked: true } : {}),
    ...(except.length === 0 ? {} : { except }),
    ...(isNul ? { isNul } : {}),
  }
}

function isPrint({ text }: Term): boolean {
  return PRINTS.has(text)
}

/** What is asked before something is printed for the first time. */
function untilPrint(and: And): And {
  return and.slice(0, and.findIndex(isPrint))
}

function hasHiddenPrint(and: And): boolean {
  return and.some(({ group }) => group?.some((inner) => inner.some(isPrint) || hasHiddenPrint(inner)))
}

type Read<T> = { readonly rest: readonly string[] } & T

/** `a b -o c`, up to a closing parenthesis or the end. */
function readOr(words: readonly string[], depth: number): Read<{ readonly or: Or }> | undefined {
  const or: And[] = []
  let and: Term[] = []
  let rest = words
  for (let [word] = rest; word !== undefined && word !== ')'; [word] = rest) {
    if (word === '-o' || word === '-or') {
      or.push(and)
      and = []
      rest = rest.slice(1)
    } else if (word === '-a' || word === '-and') rest = rest.slice(1)
    else {
      const read = readTerm(rest, depth)
      if (read === undefined) return undefined
      and.push(read.term)
      rest = read.rest
    }
  }
  return { or: [...or, and], rest }
}

function readTerm(words: readonly string[], depth: number): Read<{ readonly term: Term }> | undefined {
  const [text = '', value = ''] = words
  if (text === '!' || text === '-not') {
    const read = readTerm(words.slice(1), depth + 1)
    return read && depth < MAX_GROUPS
      ? { term: { ...read.term, isNegated: !read.term.isNegated }, rest: read.rest }
      : undefined
  }
  if (text === '(') {
    const read = depth < MAX_GROUPS ? readOr(words.slice(1), depth + 1) : undefined
    if (read?.rest[0] !== ')') return undefined
    return { term: { text, value: '', isNegated: false, group: read.or }, rest: read.rest.slice(1) }
  }
  if (VALUED.has(text)) {
    return words.length > 1 ? { term: { text, value, isNegated: false }, rest: words.slice(2) } : undefined
  }
  if (!TESTS.has(text) && !GLOBAL.has(text) && !PRINTS.has(text)) return undefined
  return { term: { text, value: '', isNegated: false }, rest: words.slice(1) }
}

/** The globs for the last name, where every alternative has some. */
function namesOf(or: Or): readonly string[] | undefined {
  const names: string[] = []
  for (const and of or) {
    const found = and.map(namesOfTerm).find((each) => each !== undefined)
    if (found === undefined) return undefined
    names.push(...found)
  }
  return names.length === 0 ? undefined : names
}

function namesOfTerm({ text, value, isNegated, group }: Term): readonly string[] | undefined {
  if (isNegated) return undefined
  if (group) return namesOf(group)
  if (text === '-name' || text === '-iname') return /^[*?]*$/.test(value) ? undefined : [value]
  const isPath = /^-i?(?:path|wholename)$/.test(text)
  if (!isPath) return undefined
  return value.includes('/') ? [value] : lastNameOf(value)
}

const PICKING = /^-i?(?:name|path|wholename|regex|samefile|inum)$/

function isPicking({ text, value, isNegated, group }: Term): boolean {
  if (group)
    return group.some((and) => and.some((term) => isPicking({ ...term, isNegated: term.isNegated !== isNegated })))
  return PICKING.test(text) && !isNegated && !/^[*?./]*$/.test(value)
}

/** The last name of what fits a glob whose `*` goes over slashes, as far as it is spelt. */
export function lastNameOf(glob: string): readonly string[] | undefined {
  if (/[[\]\\]/.test(glob)) return undefined
  const end = glob.slice(Math.max(glob.lastIndexOf('*'), glob.lastIndexOf('?')) + 1)
  if (end === '' || end.endsWith('/')) return undefined
  return [end.includes('/') || end === glob ? end.slice(end.lastIndexOf('/') + 1) : `*${end}`]
}

/** What `-not -path X` and `-not -name X` leave out, where that can be told for certain. */
function exceptOf({ text, value, isNegated, group }: Term): readonly string[] {
  if (!isNegated || /[[\]\\]/.test(value)) return []
  if (group) {
    const only = group.flatMap((and) => (and.length === 1 && and[0]?.isNegated === false ? and : []))
    return only.flatMap((term) => exceptOf({ ...term, isNegated: true }))
  }
  if (text === '-path' || text === '-wholename') return [value]
  return text === '-name' && !value.includes('*') && !value.includes('?') ? [`*/${value}`] : []
}
