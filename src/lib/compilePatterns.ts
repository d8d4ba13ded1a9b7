import { messageOf, RunError } from '../contracts/errors.ts'
import type { Span } from './pieceIndex.ts'

/** Finds what a pattern means in a text. */
export type TextPattern = (text: string) => Span[]

/** For all that one pattern means in one text; each single search is linear, many of them may not be. */
const LONGEST_MS = 2_000

/**
 * The regular expressions of `redact.patterns`, by an engine that takes time in proportion to the text, whatever the
 * pattern. It knows neither lookarounds nor back references. Throws `config` for a pattern that it cannot read.
 */
export async function compilePatterns(sources: readonly string[]): Promise<readonly TextPattern[]> {
  if (sources.length === 0) return []
  const { RE2JS } = await import('re2js')
  return sources.map((source) => {
    const pattern = compile(source, () => RE2JS.compile(RE2JS.translateRegExp(source)))
    return (text) => {
      const matcher = pattern.matcher(text)
      const found: Span[] = []
      const end = performance.now() + LONGEST_MS
      while (matcher.find()) {
        if (matcher.end() > matcher.start()) {
          found.push({ start: matcher.start(), end: matcher.end(), name: 'PATTERN' })
        }
        if (performance.now() > end) throw new Error('the search takes too long')
      }
      return found
    }
  })
}

function compile<Pattern>(source: string, make: () => Pattern): Pattern {
  try {
    return make()
  } catch (error) {
    const why = messageOf(error).replace('error parsing regexp: ', '')
    const advice = /\(\?[=!<]|\\\d/.test(why) ? '; lookarounds and back references are not searched for' : ''
    throw new RunError('config', `redact.patterns: ${source}: ${why}${advice}`, { cause: error })
  }
}
