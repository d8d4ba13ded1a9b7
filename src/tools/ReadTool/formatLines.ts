const MAX_LINE_CHARS = 2000
/** About 25,000 tokens, ten times a page of ordinary code. */
const MAX_TOTAL_CHARS = 100_000

/** Lines as `cat -n` prints them, without its padding; how many of them fitted. The first always does. */
export type FormattedLines = { readonly content: string; readonly count: number }

/** Numbers lines from `start`, cuts long ones, and stops at the length limit. Pure. */
export function formatLines(lines: readonly string[], start: number): FormattedLines {
  const shown: string[] = []
  let total = 0
  for (const [index, line] of lines.entries()) {
    const text = `${start + index}\t${cutLine(line)}`
    total += text.length + 1
    if (total > MAX_TOTAL_CHARS && index > 0) break
    shown.push(text)
  }
  return { content: shown.join('\n').toWellFormed(), count: shown.length }
}

/** The lines of a text without line ends. A final line end does not start a new line. */
export function splitLines(text: string): readonly string[] {
  const lines = text.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line))
  if (lines.at(-1) === '') lines.pop()
  return lines
}

function cutLine(line: string): string {
  if (line.length <= MAX_LINE_CHARS) return line
  return `${line.slice(0, MAX_LINE_CHARS)} [… ${line.length - MAX_LINE_CHARS} more characters]`
}
