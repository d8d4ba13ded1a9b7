import { resolve } from 'node:path'
import { isJson } from '../lib/text/isJson.ts'

/** Text that starts like JSON is kept; anything else is a path, made absolute. */
export function jsonOrFile(text: string, folder: string): string {
  return isJson(text) ? text : resolve(folder, text)
}
