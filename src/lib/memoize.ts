/** The same function, called once for each argument. */
export function memoize<Result>(ask: (word: string) => Result): (word: string) => Result {
  const known = new Map<string, { readonly result: Result }>()
  return (word) => {
    const found = known.get(word) ?? { result: ask(word) }
    known.set(word, found)
    return found.result
  }
}

/** The same function, called once for each object, for as long as that lives. */
export function memoizeFor<Key extends object, Result extends object>(ask: (key: Key) => Result) {
  const known = new WeakMap<Key, Result>()
  return (key: Key): Result => {
    const result = known.get(key) ?? ask(key)
    known.set(key, result)
    return result
  }
}

/** A function that does its work at the first call, and gives every caller the same, such as a promise. */
export function once<Value>(make: () => Value): () => Value {
  const get = memoize(make)
  return () => get('')
}
