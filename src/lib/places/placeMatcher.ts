import type { Place } from './places.ts'

/** Finds the places that apply to a path in lower case. Nearly all paths match nothing, after a check or two. */
export function createPlaceMatcher(places: readonly Place[]) {
  const compiled = places.map((place) => ({ place, patterns: place.patterns.flatMap(expandPattern).map(compile) }))
  const all = compiled.flatMap(({ patterns }) => patterns.filter(({ isTakenBack }) => !isTakenBack))
  const union = (kind: Compiled['start']) =>
    new RegExp(all.flatMap(({ start, source }) => (start === kind ? [source] : [])).join('|') || '(?!)')
  const [dotted, atHome, others] = [union('dot'), union('home'), union('other')]
  const mayFit = (text: string) => (/(?:^|\/)\./.test(text) && dotted.test(text)) || others.test(text)
  const select = (text: string) => compiled.filter(({ patterns }) => isMatch(patterns, text)).map(({ place }) => place)
  return {
    /** For an absolute path; `home` is what `~/` stands for. */
    find(path: string, home: string) {
      const found = mayFit(path) ? select(path) : []
      const below = path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : ''
      if (!atHome.test(below)) return found
      const more = select(below)
      return places.filter((place) => found.includes(place) || more.includes(place))
    },
  }
}

type Compiled = ReturnType<typeof compile>

/** `key`: a text that is in each path that matches. Most expressions are never run, and so never compiled. */
function compile(pattern: string) {
  const isTakenBack = pattern.startsWith('!')
  const text = (isTakenBack ? pattern.slice(1) : pattern).toLowerCase()
  const source = sourceOf(text)
  const start = pattern.startsWith('~') ? 'home' : pattern.startsWith('.') ? 'dot' : 'other'
  return { key: keyOf(text), source, regex: new RegExp(source), isTakenBack, start } as const
}

/** The longest part of a pattern without wildcards. */
function keyOf(text: string): string {
  const parts = text.replace(/\/\*\*$/, '').split(/\*\*\/|\*/)
  return parts.reduce((longest, part) => (part.length > longest.length ? part : longest), '')
}

/** As in an ignore file, the last matching pattern decides. */
function isMatch(patterns: readonly Compiled[], text: string): boolean {
  return patterns.findLast(({ key, regex }) => text.includes(key) && regex.test(text))?.isTakenBack === false
}

/** Matches the last path parts, in lower case, of all places: a name that does not match is in none of them. */
export function placeNamePattern(places: readonly Place[]): RegExp {
  const patterns = places
    .flatMap((place) => place.patterns.flatMap(expandPattern))
    .filter((text) => !text.startsWith('!'))
  const names = patterns.map((pattern) =>
    pattern
      .toLowerCase()
      .replace(/\/\*\*$/, '')
      .replace(/^.*\//, ''),
  )
  return new RegExp(`^(?:${[...new Set(names)].map((name) => bodyOf(name)).join('|')})$`)
}

function bodyOf(text: string): string {
  return text.replace(/\*\*\/|\*|[.+?^${}()|[\]\\/]/g, (found) => {
    if (found === '**/') return '(?:.*\\/)?'
    return found === '*' ? '[^/]*' : `\\${found}`
  })
}

function sourceOf(pattern: string): string {
  const isTree = pattern.endsWith('/**')
  const text = isTree ? pattern.slice(0, -3) : pattern
  const body = bodyOf(text)
  return `${/^[/~]/.test(pattern) ? '^' : '(?:^|\\/)'}${body}${isTree ? '(?:\\/|$)' : '$'}`
}

/** The expansions of a pattern with braces. */
export function expandPattern(pattern: string): readonly string[] {
  const [whole, before = '', list = '', after = ''] = /^(.*?)\{([^{}]*)\}(.*)$/.exec(pattern) ?? []
  if (whole === undefined) return [pattern]
  return list.split(',').flatMap((choice) => expandPattern(`${before}${choice}${after}`))
}
