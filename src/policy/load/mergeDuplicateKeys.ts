import { isMap, isScalar, isSeq, type Pair } from 'yaml'

/**
 * Merges duplicate keys: the later value is added to the first, so that both are checked. Of two scalar values, the
 * first stays. Changes the nodes that it is given.
 */
export function mergeDuplicateKeys(node: unknown): void {
  if (isSeq(node)) for (const item of node.items) mergeDuplicateKeys(item)
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
  for (const { value } of kept) mergeDuplicateKeys(value)
}

function join(first: unknown, later: unknown): void {
  if (isMap(first) && isMap(later)) first.items.push(...later.items)
  if (isSeq(first) && isSeq(later)) first.items.push(...later.items)
}
