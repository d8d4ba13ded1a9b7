/** True for a value that is JSON itself, not the path of a file: it starts with a brace or a bracket. */
export function isJson(text: string): boolean {
  return /^\s*[{[]/.test(text)
}
