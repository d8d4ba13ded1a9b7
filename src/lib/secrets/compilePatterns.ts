import { messageOf, RunError } from '../../contracts/errors.ts'
import type { Span } from './pieceIndex.ts'

export type TextPattern = (text: string) => Span[]

/** The time limit of one pattern in one text. A single search is linear; many searches may not be. */
const LONGEST_MS = 2_000

/**
 * The regular expressions of `redact.patterns`, in an engine whose time is proportional to the text, whatever the
 * pattern. It has neither lookarounds nor backreferences. Throws `config` with a line for each invalid pattern.
 */
export async function compilePatterns(
  sources: readonly string[],
  longestMs = LONGEST_MS,
): Promise<readonly TextPattern[]> {
  if (sources.length === 0) return []
  const { RE2JS } = await import('re2js')
  const problems: string[] = []
  const patterns = sources.flatMap((source) => {
    try {
      return [RE2JS.compile(RE2JS.translateRegExp(source))]
    } catch (error) {
      problems.push(problemOf(source, error))
      return []
    }
  })
  if (problems.length > 0) throw new RunError('config', problems.join('\n'))
  return patterns.map((pattern) => {
    return (text) => {
      const matcher = pattern.matcher(text)
      const found: Span[] = []
      const end = performance.now() + longestMs
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

function problemOf(source: string, error: unknown): string {
  const why = messageOf(error).replace('error parsing regexp: ', '')
  const advice = /\(\?[=!<]|\\\d/.test(why) ? '; lookarounds and back references are not searched for' : ''
  return `redact.patterns: ${source}: ${why}${advice}`
}
