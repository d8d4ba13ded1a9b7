import type { Span } from './pieceIndex.ts'

/** A text in chunks. The concatenated results of `push` and `flush` are the redaction of the whole text. */
export type RedactingStream = { push(part: string): string; flush(): string }

export type RedactingStreamOptions = {
  find(text: string): Span[]
  replace(text: string, spans: readonly Span[]): string
  /** The length of the longest text that is searched only as a whole. */
  readonly longestWhole: number
}

const PIECE = 12
const LONGEST_WORD = 4_096
/** The most that is held back: more than the longest shape of a secret. */
const LONGEST_HELD = 32_768

/** A stream that holds back the end of the text while it may become a secret. */
export function createRedactingStream({ find, replace, longestWhole }: RedactingStreamOptions): RedactingStream {
  let held = ''
  const giveOut = (spans: readonly Span[], end: number): string => {
    const ready = held.slice(0, end)
    held = held.slice(end)
    const inside = spans.filter((span) => span.start < end)
    return replace(
      ready,
      inside.map((span) => ({ ...span, end: Math.min(span.end, end) })),
    )
  }
  return {
    push: (part) => {
      held += part
      const spans = find(held)
      return giveOut(spans, safeEnd(held, spans, longestWhole))
    },
    flush: () => giveOut(find(held), held.length),
  }
}

/** Where the text may be cut so that no match, now or with more text, crosses the cut. */
function safeEnd(text: string, spans: readonly Span[], longestWhole: number): number {
  const key = text.lastIndexOf('-----BEGIN ')
  const openKey = key !== -1 && !text.includes('-----END ', key) ? key : text.length
  const back = text.length - Math.max(PIECE, longestWhole)
  const most = text.length - LONGEST_HELD
  let end = Math.max(Math.min(wordStart(text), openKey, back), most, 0)
  for (const span of spans) if (span.start < end && span.end > end) end = span.start
  return Math.max(end, most - LONGEST_HELD)
}

function wordStart(text: string): number {
  let start = text.length
  while (text.length - start < LONGEST_WORD && /\S/.test(text.charAt(start - 1))) start -= 1
  return start
}
