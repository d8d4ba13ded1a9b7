/**
 * Takes escape sequences of terminals out of a stream of bytes: colors, cursor movements, titles, links. All of their
 * bytes are ASCII but for the text of titles, so nothing else is touched, whatever the encoding.
 */
export type EscapeStripper = {
  /** What is sure by now; a sequence that is not complete yet is kept back. */
  write(chunk: Buffer): Buffer
  /** What was kept back at the end of the stream. */
  end(): Buffer
}

const ESCAPES =
  /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[PX^_][^\x1b]*\x1b\\|[ -/]+[0-~]|[0-OQ-WYZ\\`-~])/g

/** A sequence that may go on: at the end of what came. */
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
