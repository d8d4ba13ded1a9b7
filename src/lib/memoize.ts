/** The same function, called once for each argument. */
export function memoize<Result>(ask: (word: string) => Result): (word: string) => Result {
  const known = new Map<string, { readonly result: Result }>()
  return (word) => {
    const found = known.get(word) ?? { result: ask(word) }
    known.set(word, found)
    return found.result
  }
}

/** A function that does its work at the first call, and gives every caller the same, such as a promise. */
export function once<Value>(make: () => Value): () => Value {
  const get = memoize(make)
  return () => get('')
}
