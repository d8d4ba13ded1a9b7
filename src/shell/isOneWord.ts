/** Blanks, quotes, and what a locale may take for one. */
const SPLITTING = /[^\x21-\x7e]|['"\\]/

/** Whether a path is still itself where it is read again as a text that is split, as xargs does. */
export function isOneWord(path: string): boolean {
  return !SPLITTING.test(path)
}
