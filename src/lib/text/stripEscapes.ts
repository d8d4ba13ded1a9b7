/**
 * Removes terminal escape sequences from a stream of bytes: colors, cursor movements, titles, links. Apart from the
 * text of titles, all their bytes are ASCII, so nothing else is touched in any encoding.
 */
export type EscapeStripper = {
  /** Returns the bytes that are certain so far; an incomplete sequence is held back. */
  write(chunk: Buffer): Buffer
  /** Returns what is still held back at the end of the stream. */
  end(): Buffer
}

const ESCAPES =
  /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[PX^_][^\x1b]*\x1b\\|[ -/]+[0-~]|[0-OQ-WYZ\\`-~])/g

/** A sequence at the end of the input that may continue. */
const BEGUN = /\x1b(?:\[[0-?]*[ -/]*|\][^\x07\x1b]*\x1b?|[PX^_][^\x1b]*\x1b?|[ -/]*)$/

/** Longer ones are not escape sequences: their text is shown unchanged. */
const LONGEST = 4_096

export function stripEscapes(): EscapeStripper {
  let kept = ''
  return {
    write(chunk) {
      if (kept === '' && !chunk.includes(0x1b)) return chunk
      const text = (kept + chunk.toString('latin1')).replace(ESCAPES, '')
      const begin = BEGUN.exec(text.slice(-LONGEST))?.[0].length ?? 0
      kept = text.slice(text.length - begin)
      return Buffer.from(text.slice(0, text.length - begin), 'latin1')
    },
    end() {
      const rest = Buffer.from(kept, 'latin1')
      kept = ''
      return rest
    },
  }
}
