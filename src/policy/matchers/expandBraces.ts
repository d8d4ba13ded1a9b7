import { braceExpand } from 'minimatch'

/** What minimatch takes for braces that stand for something. */
const BRACES = /\{(?:(?!\{).)*\}/

/**
 * The patterns that the braces of one stand for; each is read on its own, with its own beginning. Braces that are left in
 * them are escaped. No more than `max`.
 */
export function expandBraces(pattern: string, max: number): readonly string[] {
  if (!BRACES.test(pattern)) return [pattern]
  // The expansion takes one backslash of two.
  const doubled = pattern.replace(/\\\\/g, '$&$&')
  return braceExpand(doubled, { braceExpandMax: max }).map((text) =>
    text.replace(/(\\.)|[{}]/gs, (found, escaped: string | undefined) => escaped ?? `\\${found}`),
  )
}
