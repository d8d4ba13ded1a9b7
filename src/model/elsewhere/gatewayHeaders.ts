import { RunError } from '../../contracts/errors.ts'

/** The headers of `ANTHROPIC_CUSTOM_HEADERS`, `Name: value` on each line, as in Claude Code. No error shows a value. */
export function gatewayHeaders(text = ''): Record<string, string> {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '')
  const pairs = lines.map((line) => /^\s*([\w!#$%&'*+.^`|~-]+)\s*:\s*([\x20-\x7e]*?)\s*$/.exec(line))
  const bad = pairs.indexOf(null) + 1
  if (bad > 0) throw new RunError('config', `ANTHROPIC_CUSTOM_HEADERS: line ${bad} is not \`Name: value\``)
  return Object.fromEntries(pairs.map((pair) => [pair?.[1] ?? '', pair?.[2] ?? '']))
}
