/** The range of a value in a JSON text, from its first character to after its last. */
export type JsonRange = { readonly start: number; readonly end: number }

/** The range of a member's value in the object that starts at `start`; undefined if there is no such member. */
export function memberRange(json: string, start: number, key: string): JsonRange | undefined {
  let found: JsonRange | undefined
  for (let at = skipBlank(json, start + 1); json[at] === '"'; ) {
    const keyEnd = skipValue(json, at)
    const value = skipBlank(json, skipBlank(json, keyEnd) + 1)
    const end = skipValue(json, value)
    // If a key is repeated, the last one counts, as in JSON.parse.
    if (JSON.parse(json.slice(at, keyEnd)) === key) found = { start: value, end }
    at = skipComma(json, end)
  }
  return found
}

/** The ranges of the items in the array that starts at `start`. All of these need a text that JSON.parse accepts. */
export function itemRanges(json: string, start: number): readonly JsonRange[] {
  const items: JsonRange[] = []
  for (let at = skipBlank(json, start + 1); at < json.length && json[at] !== ']'; ) {
    const end = skipValue(json, at)
    items.push({ start: at, end })
    at = skipComma(json, end)
  }
  return items
}

/** The first position from `at` on that is not white space. */
export function skipBlank(json: string, at: number): number {
  let next = at
  while (' \t\r\n'.includes(json[next] ?? '-')) next += 1
  return next
}

function skipComma(json: string, end: number): number {
  const at = skipBlank(json, end)
  return json[at] === ',' ? skipBlank(json, at + 1) : at
}

function skipValue(json: string, start: number): number {
  const first = json[start]
  if (first === '"') return skipString(json, start)
  let at = start
  if (first !== '{' && first !== '[') {
    while (at < json.length && !',]} \t\r\n'.includes(json[at] ?? '')) at += 1
    return at
  }
  for (let depth = 0; at < json.length; ) {
    const char = json[at]
    if (char === '"') {
      at = skipString(json, at)
      continue
    }
    if (char === '{' || char === '[') depth += 1
    if (char === '}' || char === ']') depth -= 1
    at += 1
    if (depth === 0) break
  }
  return at
}

function skipString(json: string, start: number): number {
  let at = start + 1
  while (at < json.length && json[at] !== '"') at += json[at] === '\\' ? 2 : 1
  return at + 1
}
