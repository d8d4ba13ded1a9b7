/** A list of options, read. */
type Harmless = {
  readonly names: ReadonlySet<string>
  readonly beginnings: readonly string[]
  readonly letters: ReadonlyMap<string, 'switch' | 'valued'>
}

const READ = new Map<string, Harmless>()

/**
 * True for an option that a list names: `--all` and `-pdf` with or without `=value`, `--no-*` for all that begin so, `[vqn:]`
 * for letters that may be bundled, where `:` marks one whose value is the rest of the word. A cut name is none of them.
 */
export function isHarmlessOption(list: string, option: string): boolean {
  const { names, beginnings, letters } = READ.get(list) ?? readList(list)
  const at = option.indexOf('=')
  if (names.has(at < 0 ? option : option.slice(0, at)) || beginnings.some((begin) => option.startsWith(begin)))
    return true
  if (option.startsWith('--')) return false
  for (const letter of option.slice(1)) {
    const kind = letters.get(letter)
    if (kind === undefined) return false
    if (kind === 'valued') return true
  }
  return true
}

function readList(list: string): Harmless {
  const words = list.split(/\s+/)
  const bundles = words.flatMap((word) => /^\[(.*)\]$/.exec(word)?.[1] ?? [])
  const read: Harmless = {
    names: new Set(words.filter((word) => word.startsWith('-') && !word.endsWith('*'))),
    beginnings: words.flatMap((word) => (word.startsWith('-') && word.endsWith('*') ? [word.slice(0, -1)] : [])),
    letters: new Map(
      bundles.flatMap((bundle) =>
        [...bundle.matchAll(/(\w)(:?)/g)].map(([, letter = '', mark]) => [letter, mark ? 'valued' : 'switch'] as const),
      ),
    ),
  }
  READ.set(list, read)
  return read
}

/** Why an option that no list names is not covered. */
export function unlisted(command: string, option: string): string {
  return `${command} ${option} is not known to be harmless`
}

/** True for a reason that `unlisted` gave. */
export function isUnlisted(why: string): boolean {
  return why.endsWith('known to be harmless')
}
