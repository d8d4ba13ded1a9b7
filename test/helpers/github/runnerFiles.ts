/**
 * How GitHub's runner reads a file of `name=value` and `name<<delimiter` entries: a value ends at the first line that equals
 * the delimiter. Written from what is known of `FileCommandManager.cs`; anything else is an error there too.
 */
export function parseRunnerFile(text: string): Record<string, string> {
  const values: Record<string, string> = {}
  const lines = text.split(/\r\n|\n/)
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    if (line === '') continue
    const equals = line.indexOf('=')
    const heredoc = line.indexOf('<<')
    if (equals >= 0 && (heredoc < 0 || equals < heredoc)) {
      values[line.slice(0, equals)] = line.slice(equals + 1)
      continue
    }
    if (heredoc < 1) throw new Error(`runner: invalid format ${JSON.stringify(line)}`)
    const delimiter = line.slice(heredoc + 2)
    const end = lines.indexOf(delimiter, at + 1)
    if (delimiter === '' || end === -1) throw new Error(`runner: no line ${JSON.stringify(delimiter)}`)
    values[line.slice(0, heredoc)] = lines.slice(at + 1, end).join('\n')
    at = end
  }
  return values
}
