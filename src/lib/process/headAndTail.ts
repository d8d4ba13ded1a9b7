/**
 * A text of at most about `limit` characters: its beginning, a line that says how much is missing, and its end. Cuts at
 * line ends if one is near, never inside a character. A text that fits is returned unchanged. `total`: the length
 * before an earlier cut.
 */
export function headAndTail(text: string, limit: number, where = '', total = text.length): string {
  if (text.length <= limit) return text
  const share = Math.floor(limit / 2)
  const head = text.slice(0, headEnd(text, share))
  const tail = text.slice(tailStart(text, text.length - share))
  const missing = total - head.length - tail.length
  return `${head}\n[… ${missing} characters left out${where === '' ? '' : `; ${where}`} …]\n${tail}`
}

function headEnd(text: string, index: number): number {
  const line = text.lastIndexOf('\n', index - 1)
  if (line > index * 0.8) return line
  return isInsidePair(text, index) ? index - 1 : index
}

function tailStart(text: string, index: number): number {
  const line = text.indexOf('\n', index)
  if (line !== -1 && line < index + (text.length - index) * 0.2) return line + 1
  return isInsidePair(text, index) ? index + 1 : index
}

function isInsidePair(text: string, index: number): boolean {
  const code = text.charCodeAt(index)
  return code >= 0xdc00 && code <= 0xdfff
}
