const COLORS = { '✓': 32, '✗': 31, '!': 33, '·': 2 } as const

/** A line of the log with its mark in color. The line is encoded already: nothing in it is a control sequence. */
export function paintLine(line: string): string {
  return line.replace(
    /^(│ (?:\d\d:\d\d:\d\d )?(?: {2}\[[^\]\n]*\] )?)([✓✗!·])(?= )/gmu,
    (_all, start: string, mark: string) => `${start}\u001b[${COLORS[mark as keyof typeof COLORS]}m${mark}\u001b[0m`,
  )
}

/** Whether a log has colors: by `--color`, else on a terminal, unless `NO_COLOR` (no-color.org) or `TERM=dumb` says no. */
export function hasColors(
  when: 'auto' | 'always' | 'never',
  isTerminal: boolean,
  environment: Readonly<Record<string, string | undefined>>,
): boolean {
  if (when !== 'auto') return when === 'always'
  return isTerminal && !environment['NO_COLOR'] && environment['TERM'] !== 'dumb'
}
