import { resolve } from 'node:path'
import { isJson } from '../lib/text/isJson.ts'

/** Text that starts like JSON stays; anything else is a path. */
export function jsonOrFile(text: string, folder: string): string {
  return isJson(text) ? text : resolve(folder, text)
}
