import { braceExpand } from 'minimatch'

/** Braces that minimatch would expand. */
const BRACES = /\{(?:(?!\{).)*\}/

/**
 * The patterns that a pattern with braces expands to, at most `max`. Each is then parsed on its own. Remaining braces
 * are escaped.
 */
export function expandBraces(pattern: string, max: number): readonly string[] {
  if (!BRACES.test(pattern)) return [pattern]
  return braceExpand(pattern, { braceExpandMax: max }).map((text) =>
    text.replace(/(\\.)|[{}]/gs, (found, escaped: string | undefined) => escaped ?? `\\${found}`),
  )
}
