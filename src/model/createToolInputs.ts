import { isObject } from '../lib/isObject.ts'

/** A block's whole input, or what is wrong with the text of it, for the model. */
export type ToolInputEnd =
  | { readonly input: Readonly<Record<string, unknown>> }
  | { readonly input: Readonly<Record<string, never>>; readonly problem: string }

/**
 * Keeps the JSON of tool inputs as it streams in, by block index. The SDK does not get to see it: it ends an answer over an
 * input that is not JSON, and makes a call of one that is cut (`{"command":"rm -rf x","ti`).
 */
export function createToolInputs() {
  const pieces = new Map<number, string[]>()
  let size = 0
  const add = (index: number, piece: string): void => {
    size += piece.length
    const known = pieces.get(index)
    if (known === undefined) pieces.set(index, [piece])
    else known.push(piece)
  }
  return {
    add,
    /** Characters so far. */
    size: () => size,
    /** The `data:` of an event, without the piece of input in it, which is kept here. */
    withhold(data: string): string {
      const event = data.includes('"input_json_delta"') ? parse(data) : undefined
      if (!isObject(event) || !isObject(event['delta'])) return data
      const { index, delta } = event
      if (delta['type'] !== 'input_json_delta' || typeof delta['partial_json'] !== 'string') return data
      add(Number(index), delta['partial_json'])
      return JSON.stringify({ ...event, delta: { ...delta, partial_json: '' } })
    },
    /** What the block came to; undefined where no input was streamed for it. */
    end(index: number): ToolInputEnd | undefined {
      const known = pieces.get(index)
      return known === undefined ? undefined : endOf(known.join(''))
    },
  }
}

export type ToolInputs = ReturnType<typeof createToolInputs>

/** An empty text counts: a tool without parameters streams none. */
function endOf(text: string): ToolInputEnd {
  if (text === '') return { input: {} }
  const broken = (what: string): ToolInputEnd => ({
    input: {},
    problem: `The input of this call ${what}, so it was not run. It began with: ${text.slice(0, SHOWN_CHARS)}`,
  })
  if (depthOf(text) > MOST_LEVELS) return broken(`is nested more than ${MOST_LEVELS} levels deep`)
  const value = parse(text)
  if (value === undefined) return broken('is not JSON')
  return isObject(value) ? { input: value } : broken('is not a JSON object')
}

const SHOWN_CHARS = 200

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What is nested more deeply ends in a stack that overflows, somewhere on its way into the record; no tool asks for it. */
const MOST_LEVELS = 500

/** How deep JSON is at its deepest; brackets in its texts do not count. */
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
