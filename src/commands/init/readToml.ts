import { parse } from 'smol-toml'
import { messageOf, RunError } from '../../contracts/errors.ts'
import { valueAt } from '../../lib/text/json.ts'
import type { ProjectFiles } from './ProjectFiles.ts'

export type Table = Readonly<Record<string, unknown>>

/** A TOML manifest; undefined if there is none. Throws `bad_input` if it cannot be parsed. */
export function readToml(files: ProjectFiles, path: string): Table | undefined {
  const text = files.read(path)
  if (text === undefined) return undefined
  try {
    return parse(text)
  } catch (cause) {
    throw new RunError('bad_input', `${path}: ${messageOf(cause).split('\n')[0]}`, { cause })
  }
}

/** The value at this path of keys; undefined if it does not exist. */
export function valueIn(table: Table | undefined, ...keys: readonly string[]): unknown {
  return valueAt(table, keys)
}

/** The strings of a list, or a single string as a list. */
export function textsIn(value: unknown): readonly string[] {
  return [value].flat().filter((item) => typeof item === 'string')
}

export function tablesIn(value: unknown): readonly Table[] {
  return [value].flat().filter((item): item is Table => typeof item === 'object' && item !== null)
}
