/** The same function, asked once for each word. */
export function remember<Result>(ask: (word: string) => Result): (word: string) => Result {
  const known = new Map<string, { readonly result: Result }>()
  return (word) => {
    const found = known.get(word) ?? { result: ask(word) }
    known.set(word, found)
    return found.result
  }
}
