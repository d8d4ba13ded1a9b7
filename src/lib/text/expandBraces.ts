import { braceExpand } from 'minimatch'

/** Braces that minimatch would expand. */
const BRACES = /\{(?:(?!\{).)*\}/

/** The patterns that one with braces stands for, at most `max`, to be parsed alone: other braces are escaped. */
export function expandBraces(pattern: string, max: number): readonly string[] {
  if (!BRACES.test(pattern)) return [pattern]
  return braceExpand(pattern, { braceExpandMax: max }).map((text) =>
    text.replace(/(\\.)|[{}]/gs, (found, escaped: string | undefined) => escaped ?? `\\${found}`),
  )
}
