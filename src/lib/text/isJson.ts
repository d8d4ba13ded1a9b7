import { resolve } from 'node:path'

/** True for a value that is JSON itself, not the path of a file: it starts with a brace or a bracket. */
export function isJson(text: string): boolean {
  return /^\s*[{[]/.test(text)
}

/** Text that starts like JSON is kept; anything else is a path, made absolute. */
export function jsonOrFile(text: string, folder: string): string {
  return isJson(text) ? text : resolve(folder, text)
}
