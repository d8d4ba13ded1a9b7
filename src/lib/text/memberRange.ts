/** The range of a value in a JSON text, from its first character to after its last. */
export type JsonRange = { readonly start: number; readonly end: number }

/** The value of a member of the object that starts at `start`; undefined if it has no such member. */
export function memberRange(json: string, start: number, key: string): JsonRange | undefined {
  let found: JsonRange | undefined
  for (let at = skipBlank(json, start + 1); json[at] === '"'; ) {
    const keyEnd = skipValue(json, at)
    const value = skipBlank(json, skipBlank(json, keyEnd) + 1)
    const end = skipValue(json, value)
    // Of equal keys the last counts, as in JSON.parse.
    if (JSON.parse(json.slice(at, keyEnd)) === key) found = { start: value, end }
    at = skipComma(json, end)
  }
  return found
}

/** The items of the array that starts at `start`. All of this wants a text that JSON.parse has accepted. */
export function itemRanges(json: string, start: number): readonly JsonRange[] {
  const items: JsonRange[] = []
  for (let at = skipBlank(json, start + 1); at < json.length && json[at] !== ']'; ) {
    const end = skipValue(json, at)
    items.push({ start: at, end })
    at = skipComma(json, end)
  }
  return items
}

/** The first place from `at` that is no white space. */
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
