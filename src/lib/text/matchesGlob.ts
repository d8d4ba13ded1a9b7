/** True if `text` matches a pattern where `*` stands for any text, and nothing else is special. Linear in each star. */
export function matchesGlob(pattern: string, text: string): boolean {
  return isStarMatch(pattern.split('*'), text)
}

/** Matches stars between literal segments against a text. Each segment is searched once, from left to right. */
export function isStarMatch(segments: readonly string[], text: string): boolean {
  const first = segments[0] ?? ''
  if (segments.length === 1) return text === first
  const last = segments.at(-1) ?? ''
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return false
  const end = text.length - last.length
  let index = first.length
  for (const segment of segments.slice(1, -1)) {
    const at = text.indexOf(segment, index)
    if (at < 0) return false
    index = at + segment.length
  }
  return index <= end
}
