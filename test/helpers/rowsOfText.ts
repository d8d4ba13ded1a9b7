/** A row of a text: its line, what stands below it, and what is said above it for all rows and for those of its group. */
export type TextRow = {
  readonly group: string
  readonly line: string
  readonly shared: readonly string[]
  readonly below: readonly string[]
}

/**
 * Reads the rows of a text, one a line. `[group]` begins a group, and `# ` a comment. A line that begins with two blanks
 * belongs to the row above it, before the first row of a group to the group, and before the first group to all of them.
 */
export function rowsOfText(text: string): TextRow[] {
  const rows: TextRow[] = []
  const everywhere: string[] = []
  let group = ''
  let shared = everywhere
  let below = shared
  const end = (): void => {
    if (group !== '' && below === shared) throw new Error(`no rows in [${group}]`)
  }
  for (const line of text.split('\n')) {
    const heading = /^\[([^[ ].*)\]$/.exec(line)?.[1]
    if (line === '' || line.startsWith('# ')) continue
    if (line.startsWith('  ')) below.push(line.slice(2))
    else if (heading === undefined) {
      below = []
      rows.push({ group, line, shared, below })
    } else {
      end()
      group = heading
      shared = [...everywhere]
      below = shared
    }
  }
  end()
  return rows
}
