import { isMap, isScalar, isSeq, type Pair } from 'yaml'

/**
 * Keys that stand twice: what the later one holds is added to the first, so that the content of both is checked. Of two
 * plain values the first stays. Changes the nodes that it is given.
 */
export function joinTwins(node: unknown): void {
  if (isSeq(node)) for (const item of node.items) joinTwins(item)
  if (!isMap(node)) return
  const firsts = new Map<unknown, Pair>()
  const kept: Pair[] = []
  for (const pair of node.items) {
    const key = isScalar(pair.key) ? pair.key.value : pair.key
    const first = firsts.get(key)
    if (first === undefined) kept.push(pair)
    else join(first.value, pair.value)
    firsts.set(key, first ?? pair)
  }
  node.items = kept
  for (const { value } of kept) joinTwins(value)
}

function join(first: unknown, later: unknown): void {
  if (isMap(first) && isMap(later)) first.items.push(...later.items)
  if (isSeq(first) && isSeq(later)) first.items.push(...later.items)
}
