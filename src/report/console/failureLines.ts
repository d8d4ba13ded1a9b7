/** A line that says how many, such as `# fail 1`, `ℹ duration_ms 70.1` or `1..5`. */
const COUNT = /^\W*(?:\w+ (?:\w+ )?)?[\d.]+\W*$/
/** The line that names what failed, as test runners write it, and the one that says why. */
const NAME = /^\W*(?:not ok\b|fail(?:ed|ing|ure)?\b|[✖✗✘×])/i
const CAUSE = /^\W*(?:error\b|\w*(?:Error|Exception)\b)|^E {2,}|: error[: ]/i
/** So far above the cause the name may be. */
const NAME_IS_WITHIN = 10

/**
 * The lines of a failed command's output that say most: the last ones; if the last failure begins above them, its first
 * ones. Empty lines, and counts at the end, are left out.
 */
export function failureLines(output: string, most: number): readonly string[] {
  const all = output.split('\n').filter((line) => line.trim() !== '')
  const told = all.slice(0, all.findLastIndex((line) => !COUNT.test(line)) + 1)
  const lines = told.length === 0 ? all : told
  const cause = lines.findLastIndex((line) => NAME.test(line) || CAUSE.test(line))
  if (cause < 0 || cause >= lines.length - most) return lines.slice(-most)
  const name = lines.slice(Math.max(0, cause - NAME_IS_WITHIN), cause).findLast((line) => NAME.test(line))
  return [...(name === undefined ? [] : [name]), ...lines.slice(cause)].slice(0, most)
}
