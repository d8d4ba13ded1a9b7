import { ASSIGNMENTS, DIRECTORIES, NAMES, REDIRECTS, SEPARATORS, SNIPPETS, WORDS, WRAPPERS } from './commandParts.ts'
import type { Random } from './random.ts'

/** A line of bash, mostly well-formed, at times with a character too many. */
export function generateCommand(random: Random): string {
  const text = list(random, 3)
  return random.chance(0.15) ? damage(text, random) : text
}

function list(random: Random, depth: number): string {
  let text = compound(random, depth)
  while (random.chance(0.4))
    text +=
      (random.chance(0.75) ? random.pick(SEPARATORS.slice(0, 6)) : random.pick(SEPARATORS)) + compound(random, depth)
  return text
}

function compound(random: Random, depth: number): string {
  if (depth === 0 || random.chance(0.7)) return random.chance(0.07) ? random.pick(SNIPPETS) : simple(random)
  const inner = (): string => list(random, depth - 1)
  const tail = random.chance(0.2) ? ` ${random.pick(REDIRECTS)}` : ''
  const form = random.below(10)
  if (form === 0) return `(${inner()})${tail}`
  if (form === 1) return `{ ${inner()}; }${tail}`
  if (form === 2) return `if ${inner()}; then ${inner()}; fi${tail}`
  if (form === 3) return `if ${inner()}; then ${inner()}; else ${inner()}; fi${tail}`
  if (form <= 6)
    return `for ${random.pick(['f', 'f', 'f', 'F', 'x', 'PATH', '_'])} in ${words(random, 2)}; do ${inner()}; done${tail}`
  if (form === 7) return `while ${inner()}; do ${inner()}; break; done${tail}`
  if (form === 8) return `cd ${random.pick(DIRECTORIES)}${random.pick([' && ', ' && ', '; ', ' || ', '\n'])}${inner()}`
  return `${simple(random)} "$(${inner()})"${tail}`
}

function simple(random: Random): string {
  const parts: string[] = []
  if (random.chance(0.08)) parts.push(random.pick(ASSIGNMENTS))
  if (random.chance(0.05)) parts.push(random.pick(REDIRECTS))
  while (random.chance(0.15)) parts.push(random.pick(WRAPPERS))
  parts.push(random.chance(0.04) ? random.pick(WORDS) : random.pick(NAMES), words(random, 3))
  if (random.chance(0.25)) parts.push(random.pick(REDIRECTS))
  if (random.chance(0.05)) parts.push(words(random, 1))
  return parts.join(' ')
}

function words(random: Random, most: number): string {
  const count = random.below(most + 1)
  return Array.from({ length: count }, () =>
    random.chance(0.5) ? random.pick(['a', 'b', 'c d', '"x y"', 'file', "'q'"]) : random.pick(WORDS),
  ).join(' ')
}

/** A line changed in one place: a piece left out, doubled, or put in from elsewhere. */
export function damage(text: string, random: Random): string {
  const at = random.below(text.length + 1)
  const to = Math.min(text.length, at + 1 + random.below(4))
  const piece = random.pick([...WORDS, ...SEPARATORS, ...REDIRECTS, ...SNIPPETS, ...DIRECTORIES.slice(0, 3)])
  switch (random.below(5)) {
    case 0:
      return text.slice(0, at) + text.slice(to)
    case 1:
      return text.slice(0, to) + text.slice(at)
    case 2:
      return text.slice(0, at) + piece + text.slice(to)
    case 3:
      return `${text.slice(0, at)} ${piece} ${text.slice(at)}`
    default:
      return text.slice(0, at) + random.pick([...'"\'`$\\(){}<>|&;#!~*?[]= \n\t-']) + text.slice(at)
  }
}

/** Two lines of the corpus made into one, or one of them damaged; its commands become ones that the rules know. */
export function mutateCorpus(corpus: readonly string[], random: Random): string {
  const known = (text: string): string =>
    text
      .replaceAll(/\b(?:npm|ls|wc|node|make|pytest)\b/g, () => random.pick(['run', 'echo', 'lone', 'cat']))
      .replaceAll(/\bpwned\b/g, () => random.pick(['pwned', 'out/f']))
  let text = known(random.pick(corpus))
  if (random.chance(0.4)) text = `${text}${random.pick(SEPARATORS)}${known(random.pick(corpus))}`
  if (random.chance(0.3))
    text = `${text.slice(0, random.below(text.length + 1))}${known(random.pick(corpus)).slice(random.below(20))}`
  while (random.chance(0.5)) text = damage(text, random)
  return text
}
