/**
 * A consumer of byte chunks that calls `onLine` with each complete line, without its line end. If a line exceeds
 * `maxBytes`, it calls `onTooLong` once and stops reading; it never holds more than that.
 */
export function createLineReader(
  onLine: (line: string) => void,
  limits: { readonly maxBytes: number; readonly onTooLong: () => void },
): (chunk: Buffer) => void {
  let parts: Buffer[] = []
  let size = 0
  let isOver = false
  const add = (part: Buffer): void => {
    size += part.length
    if (size <= limits.maxBytes) parts.push(part)
    else {
      isOver = true
      parts = []
      limits.onTooLong()
    }
  }
  return (chunk) => {
    let start = 0
    for (let end = chunk.indexOf(10); end !== -1 && !isOver; end = chunk.indexOf(10, start)) {
      add(chunk.subarray(start, end))
      if (isOver) return
      const line = Buffer.concat(parts).toString('utf8')
      parts = []
      size = 0
      start = end + 1
      onLine(line)
    }
    if (!isOver && start < chunk.length) add(chunk.subarray(start))
  }
}
