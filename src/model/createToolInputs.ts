/**
 * Keeps the JSON of tool inputs as it streams in, by block index. The SDK parses what is cut as far as it goes
 * (`{"command":"rm -rf x","ti` becomes a command); a call may only run when its input is a whole JSON object.
 */
export function createToolInputs() {
  const pieces = new Map<number, string[]>()
  return {
    add(index: number, piece: string): void {
      const known = pieces.get(index)
      if (known === undefined) pieces.set(index, [piece])
      else known.push(piece)
    },
    /** True also for a block without streamed input. */
    isWhole(index: number): boolean {
      return isJsonObject((pieces.get(index) ?? []).join(''))
    },
    /** The indexes of the blocks whose input is cut or malformed. */
    broken(): number[] {
      return [...pieces].filter(([, parts]) => !isJsonObject(parts.join(''))).map(([index]) => index)
    },
  }
}

/** An empty text counts: a tool without parameters streams none. */
function isJsonObject(text: string): boolean {
  if (text === '') return true
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) && depthOf(text) <= MOST_LEVELS
  } catch {
    return false
  }
}

/** What is nested more deeply ends in a stack that overflows, somewhere on its way into the record; no tool asks for it. */
const MOST_LEVELS = 500

/** How deep valid JSON is at its deepest; brackets in its texts do not count. */
function depthOf(json: string): number {
  let depth = 0
  let deepest = 0
  let isText = false
  for (let index = 0; index < json.length; index++) {
    const char = json[index]
    if (isText && char === '\\') index++
    else if (char === '"') isText = !isText
    else if (!isText && (char === '[' || char === '{')) deepest = Math.max(deepest, ++depth)
    else if (!isText && (char === ']' || char === '}')) depth--
  }
  return deepest
}
