/** Lines of a file to write; those that do not apply are false. */
export type Lines = readonly (string | false | Lines)[]

export function textOf(lines: Lines): string {
  const shown = lines.filter((line) => line !== false)
  return shown.map((line) => (typeof line === 'string' ? `${line}\n` : textOf(line))).join('')
}
