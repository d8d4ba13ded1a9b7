/** True when `text` fits a pattern in which `*` stands for any text. Linear in each star; no other character is special. */
export function matchesGlob(pattern: string, text: string): boolean {
  const [first = '', ...rest] = pattern.split('*')
  const last = rest.pop()
  if (last === undefined) return text === first
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return false
  const end = text.length - last.length
  let index = first.length
  for (const segment of rest) {
    const found = text.indexOf(segment, index)
    if (found < 0) return false
    index = found + segment.length
  }
  return index <= end
}
