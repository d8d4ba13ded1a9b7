import { resolve } from 'node:path'
import { isObject } from '../isObject.ts'
import { orElse } from '../orElse.ts'

/** True for a value that is JSON itself, not the path of a file: it starts with a brace or a bracket. */
export function isJson(text: string): boolean {
  return /^\s*[{[]/.test(text)
}

/** Text that starts like JSON is kept; anything else is a path, made absolute. */
export function jsonOrFile(text: string, folder: string): string {
  return isJson(text) ? text : resolve(folder, text)
}

/** A replacer of JSON.stringify that puts the keys of each object in order. */
export function sortedKeys(_key: string, part: unknown): unknown {
  return isObject(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part
}

/** The value; undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  return orElse(undefined, () => JSON.parse(text))
}

/** The value of JSON that a model may have put into a code fence; undefined if it is none. */
export function parseFenced(answer: string): unknown {
  return parseJson(answer.trim().replace(/^```(?:json)?\s*([\s\S]*?)\s*```$/, '$1'))
}

/** The object; undefined if the text is not a JSON object. */
export function parseObject(text: string): Record<string, unknown> | undefined {
  const value = parseJson(text)
  return isObject(value) ? value : undefined
}

/** The value at this path of keys, which each object has itself; undefined if there is none. */
export function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  const at = (value: unknown, key: PropertyKey): unknown =>
    typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined
  return path.reduce(at, root)
}
