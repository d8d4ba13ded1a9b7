import { isObject } from '../../lib/isObject.ts'
import { parseJson } from '../../lib/text/json.ts'

/** A block's complete input, or what is wrong with its text, for the model. */
export type ToolInputEnd =
  | { readonly input: Readonly<Record<string, unknown>> }
  | { readonly input: Readonly<Record<string, never>>; readonly problem: string }

/**
 * Collects the JSON of tool inputs as it streams in, by block index. The SDK must not see it: it ends an answer if an
 * input is not JSON, and turns a truncated input into a call (`{"command":"rm -rf x","ti`).
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
    /** The `data:` of an event without its piece of input, which is kept here. */
    withhold(data: string): string {
      const event = data.includes('"input_json_delta"') ? parseJson(data) : undefined
      if (!isObject(event) || !isObject(event['delta'])) return data
      const { index, delta } = event
      if (delta['type'] !== 'input_json_delta' || typeof delta['partial_json'] !== 'string') return data
      add(Number(index), delta['partial_json'])
      return JSON.stringify({ ...event, delta: { ...delta, partial_json: '' } })
    },
    /** The result for a block; undefined if no input was streamed for it. */
    end(index: number): ToolInputEnd | undefined {
      const known = pieces.get(index)
      return known === undefined ? undefined : endOf(known.join(''))
    },
  }
}

export type ToolInputs = ReturnType<typeof createToolInputs>

/** An empty text counts, because a tool without parameters streams none. */
function endOf(text: string): ToolInputEnd {
  if (text === '') return { input: {} }
  const broken = (what: string): ToolInputEnd => ({
    input: {},
    problem: `The input of this call ${what}, so it was not run. It began with: ${text.slice(0, SHOWN_CHARS)}`,
  })
  if (depthOf(text) > MAX_LEVELS) return broken(`is nested more than ${MAX_LEVELS} levels deep`)
  const value = parseJson(text)
  if (value === undefined) return broken('is not JSON')
  return isObject(value) ? { input: value } : broken('is not a JSON object')
}

const SHOWN_CHARS = 200

/** Deeper nesting would overflow a stack on the way into the record; no tool needs it. */
const MAX_LEVELS = 500

/** The maximum nesting of JSON; brackets in strings do not count. */
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
