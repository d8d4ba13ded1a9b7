/** A part of what a run could play: so many mutants of each target, chosen by the seed. */
export type Sample = { readonly size: number; readonly seed: number }

/**
 * `size` of the items, each as likely as any other, in the order that they had: the same ones for the same seed.
 */
export function drawSample<T>(items: readonly T[], { size, seed }: Sample): readonly T[] {
  const random = randomFrom(seed)
  const chosen = items
    .map((_, place) => ({ place, key: random() }))
    .sort((one, other) => one.key - other.key)
    .slice(0, size)
  return chosen
    .map(({ place }) => place)
    .sort((one, other) => one - other)
    .flatMap((place) => items.slice(place, place + 1))
}

/** Numbers from 0 to 1 that look like chance: mulberry32. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
