import { isUtf8 } from 'node:buffer'
import { orElse } from '../orElse.ts'
import type { TextPattern } from './compilePatterns.ts'
import { createPieceIndex, mergeSpans, type Span } from './pieceIndex.ts'
import { encodedForms, type Needle, type Secret, secretParts } from './secretForms.ts'
import { findVendorShapes, isVendorSecret } from './vendorShapes.ts'

/** Replaces a text that could not be searched for secrets. */
const DROPPED = '[REDACTED: text dropped, it could not be searched for secrets]'
const DEEPEST_VALUE = 200
const SHORTEST_FOR_MODEL = 16
const LONGEST_JOINED = 4_096

/** Removes secrets from everything that leaves the run. No method throws: what cannot be searched is dropped. */
export type Redactor = ReturnType<typeof createRedactor>

export type RedactorOptions = {
  readonly secrets: readonly Secret[]
  /** Of the policy's `redact.patterns`. */
  readonly patterns?: readonly TextPattern[]
}

export function createRedactor({ secrets, patterns = [] }: RedactorOptions) {
  let all = secrets
  let known = knownSecrets(all)
  const findOwn = (text: string): Span[] => {
    const { findPieces, rareWholes } = known
    return [...findPieces(text), ...findWhole(text, rareWholes), ...findVendorShapes(text)]
  }
  const findPatterns = (text: string): Span[] => patterns.flatMap((pattern) => pattern(text))
  const find = (text: string): Span[] => mergeSpans([...findOwn(text), ...findPatterns(text)])
  const redactText = (text: string): string => orElse(DROPPED, () => replaceSpans(text, find(text)))
  /** A pattern of the policy may have anchors, so it gets each text alone. */
  const isClean = (texts: ReadonlySet<string>): boolean =>
    orElse(false, () => [...[...texts].flatMap(findPatterns), ...joined(texts).flatMap(findOwn)].length === 0)
  return {
    /** For disk, log and reports: exact values, pieces of 12 characters, encoded forms, vendor shapes. */
    text: redactText,
    /** The same for every string of a JSON value, including keys. */
    value: <Value>(value: Value) => redactValue(value, isClean(textsOf(value)) ? String : redactText, 0) as Value,
    /** For the model: only whole values of known secrets, if they have 16 characters or more or a vendor's shape. */
    forModel: (text: string) => orElse(DROPPED, () => replaceSpans(text, mergeSpans(findWhole(text, known.forModel)))),
    /** For a text in chunks: returns each part as soon as no secret can extend into it. */
    stream: () => createRedactingStream(find, Math.max(0, ...known.rareWholes.map(({ text }) => text.length))),
    /** True if `text` would remove something. */
    contains: (text: string) => redactText(text) !== text,
    /** Removes these too from now on; what has left the run has left it. */
    learn(more: readonly Secret[]) {
      if (more.length === 0) return
      all = [...all, ...more]
      known = knownSecrets(all)
    },
  }
}

function knownSecrets(secrets: readonly Secret[]) {
  const named = secrets.map(({ name, value }) => ({ name: safeName(name), ...secretParts(value) }))
  const findPieces = createPieceIndex(named.flatMap(({ name, pieces }) => needles(name, pieces)))
  const wholes = named.flatMap(({ name, whole }) => needles(name, whole))
  const rareWholes = wholes.filter(({ text }) => !isCovered(text, findPieces(text)))
  const isForModel = (text: string) => text.length >= SHORTEST_FOR_MODEL || isVendorSecret(text)
  const forModel = named.flatMap(({ name, whole }) => needles(name, whole.filter(isForModel)))
  return { findPieces, rareWholes, forModel }
}

/** True if a text contains a redaction mark: a file must not be written from such a text. */
export function hasRedactionMark(text: string): boolean {
  return /\[REDACTED:[^\]\n]{1,100}\]/.test(text)
}

function needles(name: string, texts: readonly string[]): Needle[] {
  return texts.flatMap((text) => encodedForms(text).map((form) => ({ name, text: form })))
}

function isCovered(text: string, spans: readonly Span[]): boolean {
  const [only] = mergeSpans(spans)
  return only !== undefined && only.start === 0 && only.end === text.length
}

function findWhole(text: string, wholes: readonly Needle[]): Span[] {
  const found: Span[] = []
  for (const { name, text: needle } of wholes) {
    for (let start = text.indexOf(needle); start !== -1; start = text.indexOf(needle, start + needle.length)) {
      found.push({ start, end: start + needle.length, name })
    }
  }
  return found
}

function replaceSpans(text: string, spans: readonly Span[]): string {
  let out = ''
  let at = 0
  for (const { start, end, name } of spans) {
    out += `${text.slice(at, start)}[REDACTED:${name}]`
    at = end
  }
  return out + text.slice(at)
}

function redactValue(value: unknown, text: (text: string) => string, depth: number): unknown {
  if (typeof value === 'string') return text(value)
  if (typeof value === 'number') return text(String(value)) === String(value) ? value : text(String(value))
  if (typeof value !== 'object' || value === null) return value
  if (depth > DEEPEST_VALUE) return DROPPED
  if (Array.isArray(value)) return value.map((item) => redactValue(item, text, depth + 1))
  const entries = new Map<string, unknown>()
  for (const [key, item] of Object.entries(value)) {
    let safe = text(key)
    while (entries.has(safe)) safe += '+'
    entries.set(safe, redactValue(item, text, depth + 1))
  }
  return Object.fromEntries(entries)
}

/** All keys, strings and numbers of a value, each once. */
function textsOf(value: unknown, depth = 0, found = new Set<string>()): Set<string> {
  if (typeof value === 'string' || typeof value === 'number') return found.add(String(value))
  if (typeof value !== 'object' || value === null || depth > DEEPEST_VALUE) return found
  if (Array.isArray(value)) for (const item of value) textsOf(item, depth + 1, found)
  else for (const [key, item] of Object.entries(value)) textsOf(item, depth + 1, found.add(key))
  return found
}

/**
 * Short texts as one, because each search costs the same however short its text is. They are parted by a character that
 * is in no word: what is found in one of them is found in all together.
 */
function joined(texts: ReadonlySet<string>): string[] {
  const [short, long]: [string[], string[]] = [[], []]
  for (const text of texts) (text.length < LONGEST_JOINED ? short : long).push(text)
  return [short.join('\0'), ...long]
}

function safeName(name: string): string {
  return name.replace(/[^A-Za-z0-9_]/g, '_').slice(0, 60)
}

const PIECE = 12
const LONGEST_WORD = 4_096
/** The most that is held back: more than the longest shape of a secret. */
const LONGEST_HELD = 32_768

/**
 * The results of `push` and `flush` together are the redaction of the whole text: what may become a secret is held back.
 * `longestWhole`: the length of the longest text that is searched only as a whole.
 */
function createRedactingStream(find: (text: string) => Span[], longestWhole: number) {
  let held = ''
  const giveOut = (spans: readonly Span[], end: number): string => {
    const ready = held.slice(0, end)
    held = held.slice(end)
    const inside = spans.filter((span) => span.start < end)
    return replaceSpans(
      ready,
      inside.map((span) => ({ ...span, end: Math.min(span.end, end) })),
    )
  }
  return {
    push: (part: string) => {
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

/** Applies a text redaction to the bytes of a file: to the text if they are UTF-8, otherwise byte by byte. */
export function redactBytes(bytes: Uint8Array, redact: (text: string) => string) {
  const isText = isUtf8(bytes)
  const before = Buffer.from(bytes).toString(isText ? 'utf8' : 'latin1')
  const after = redact(before)
  if (after === before) return { bytes, isText, isChanged: false }
  return { bytes: Buffer.from(after, isText ? 'utf8' : 'latin1'), isText, isChanged: true }
}
