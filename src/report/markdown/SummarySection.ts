/**
 * Lines that belong together. `rows` may be cut from the end; `head` and `foot` only together with all rows. After
 * `MAX_ROWS` the rest is counted, unless the rows are folded away.
 */
export type SummarySection = {
  readonly head: string
  readonly rows: readonly string[]
  readonly foot: string
  readonly isFolded?: true
}

export function plain(text: string): SummarySection {
  return { head: text, rows: [], foot: '' }
}

/** A list below its title; null without rows. */
export function listSection(title: string, rows: readonly string[]): SummarySection | null {
  return rows.length === 0 ? null : { head: `### ${title}\n\n`, rows, foot: '\n' }
}

/** A table below its title; null without rows. */
export function tableSection(
  title: string,
  columns: readonly string[],
  rows: readonly string[],
  foot = '\n',
): SummarySection | null {
  return rows.length === 0 ? null : { head: `### ${title}\n\n${tableHead(columns)}`, rows, foot }
}

/** The first two lines of a table. A column whose name ends in `:` has numbers. */
export function tableHead(columns: readonly string[]): string {
  const names = columns.map((name) => ` ${name.replace(/:$/, '')} `.replace('  ', ' '))
  const sides = columns.map((name) => (name.endsWith(':') ? '--:' : '---'))
  return `|${names.join('|')}|\n|${sides.join('|')}|\n`
}

export function tableRow(...cells: readonly (string | number)[]): string {
  return `| ${cells.join(' | ')} |\n`
}
