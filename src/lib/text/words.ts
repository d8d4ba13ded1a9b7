/** `1 min 5 s`, `4.2 s`, `12 ms`: a duration for people. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 1_000) return `${Math.round(milliseconds)} ms`
  if (milliseconds < 10_000) return `${(milliseconds / 1_000).toFixed(1).replace('.0', '')} s`
  const seconds = Math.round(milliseconds / 1_000)
  const parts = [
    [Math.floor(seconds / 3600), 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ] as const
  const shown = parts.filter(([count]) => count > 0).slice(0, 2)
  return shown.map(([count, unit]) => `${count} ${unit}`).join(' ')
}

/** `$0.0042`, `$1.25`, `at least $1.25`; `unknown` if a used model has no price. */
export function formatCost(dollars: number | null, isWhole = true): string {
  if (dollars === null) return 'unknown'
  return `${isWhole ? '' : 'at least '}$${dollars.toFixed(dollars > 0 && dollars < 0.1 ? 4 : 2)}`
}

/** `1,234,567`, for a whole number. `Intl` would take 15 ms for its first one. */
export function formatNumber(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',')
}

/** The first of a list, and in words how many are left. */
export function firstOf(lines: readonly string[], most: number, more: (left: number) => string): string[] {
  return lines.length <= most ? [...lines] : [...lines.slice(0, most), more(lines.length - most)]
}

/** The first of these, and how many are left: `a, b and 3 more`. */
export function someOf(names: readonly string[], most: number): string {
  const left = names.length - most
  return `${names.slice(0, most).join(', ')}${left > 0 ? ` and ${left} more` : ''}`
}

/** A number with its word: `1 line`, `1,200 lines`. */
export function counted(count: number, word: string): string {
  return `${formatNumber(count)} ${word}${count === 1 ? '' : 's'}`
}

/** The first `most` characters, with an ellipsis if there are more. */
export function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most).toWellFormed()}…` : text
}

/** The text on one line, cut with an ellipsis after `most` characters; no character is split. */
export function oneLine(text: string, most: number): string {
  const flat = text
    .slice(0, most * 4)
    .replace(/\s+/g, ' ')
    .trim()
  if (flat.length <= most) return flat
  return `${flat.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…`
}

/** The words of some lines, for a list that is written as text. */
export function wordsIn(...lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => line.split(' '))
}

/** A Markdown code block that nothing inside can end: its fence is longer than every run of backticks in the text. */
export function codeFence(text: string, language = ''): string {
  const longest = (text.match(/`+/g) ?? []).reduce((length, run) => Math.max(length, run.length), 2)
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text.replace(/\n$/, '')}\n${fence}`
}
