/** The name of a program, from the word that starts it: the last part of its path, in lower case. */
export function programName(word: string): string {
  return word.slice(word.lastIndexOf('/') + 1).toLowerCase()
}
