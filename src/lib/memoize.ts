/** The same function, called once for each argument. */
export function memoize<Result>(ask: (word: string) => Result): (word: string) => Result {
  const known = new Map<string, { readonly result: Result }>()
  return (word) => {
    const found = known.get(word) ?? { result: ask(word) }
    known.set(word, found)
    return found.result
  }
}

/** A function that does its work at the first call, and gives every caller the same promise. */
export function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined
  return () => {
    made ??= make()
    return made
  }
}
