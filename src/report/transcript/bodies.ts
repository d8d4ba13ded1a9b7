import { basename } from 'node:path'
import type { MovedBody, TranscriptRecord } from '../../contracts/events.ts'
import { isObject } from '../../lib/isObject.ts'
import { valueAt } from '../../lib/text/json.ts'
import type { Blobs } from './blobStore.ts'

type Path = readonly (string | number)[]
/** What may leave a record, with its size in it. */
type Body = { readonly path: Path; readonly value: string | readonly unknown[]; readonly bytes: number }

const SHOWN = 2_000
const SHOWN_ITEMS = 50
const SHOWN_BYTES = 4_000

/**
 * The record as one line of at most `longestLine` bytes. The largest strings move to blobs until it fits, then the
 * largest lists. The first and last characters of a string remain, and the first items of a list. `blobs` names each
 * blob so that `readBodies` can restore it. The returned record has its lists whole: readers count what is in them.
 */
export function moveBodies(
  record: TranscriptRecord,
  blobs: Blobs,
  longestLine: number,
): { record: TranscriptRecord; line: string } {
  const line = JSON.stringify(record)
  const bytes = Buffer.byteLength(line)
  if (bytes < longestLine) return { record, line }
  const copy = structuredClone(record)
  const moved: MovedBody[] = []
  const lists: MovedBody[] = []
  let excess = bytes - longestLine + 4_096
  for (const { path, value, bytes: size } of [...bodiesIn(record, isLongText), ...bodiesIn(record, isLongList)]) {
    if (excess <= 0) break
    if (typeof value === 'string') {
      const sha256 = basename(blobs.put(value))
      moved.push({ path, sha256, length: value.length })
      setAt(copy, path, shortened(value, sha256))
      excess -= size - 3 * SHOWN
    } else {
      // Its long texts have left it already, and come back after it.
      const list = valueAt(copy, path) as readonly unknown[]
      const text = JSON.stringify(list)
      const sha256 = basename(blobs.put(text))
      lists.push({ path, sha256, length: list.length, kept: shownOf(list) })
      excess -= Buffer.byteLength(text) - SHOWN_BYTES
    }
  }
  const whole = { ...copy, blobs: [...lists, ...moved] }
  const shortLine = lineOf(whole)
  if (Buffer.byteLength(shortLine) < longestLine) return { record: whole, line: shortLine }
  throw new Error(`a record of ${bytes} bytes has no bodies that could be moved out of it`)
}

/** The line of a record in its file: without the rest of lists that were moved to blobs. */
export function lineOf(record: TranscriptRecord): string {
  const lists = (record.blobs ?? []).filter(({ kept }) => kept !== undefined)
  if (lists.length === 0) return JSON.stringify(record)
  const short = structuredClone(record)
  for (const { path, kept } of lists) setAt(short, path, (valueAt(short, path) as readonly unknown[]).slice(0, kept))
  return JSON.stringify(short)
}

/** The number of first items that stay. */
function shownOf(list: readonly unknown[]): number {
  let left = SHOWN_BYTES
  const end = list.slice(0, SHOWN_ITEMS).findIndex((item) => {
    left -= Buffer.byteLength(JSON.stringify(item))
    return left < 0
  })
  return end < 0 ? SHOWN_ITEMS : end
}

function shortened(text: string, sha256: string): string {
  const head = text.slice(0, SHOWN)
  const tail = text.slice(-SHOWN)
  return `${head}\n… ${text.length - 2 * SHOWN} characters, whole text in blobs/${sha256} …\n${tail}`
}

const isLongText = (value: unknown): value is string => typeof value === 'string' && value.length > 2 * SHOWN
const isLongList = (value: unknown): value is unknown[] => Array.isArray(value) && value.length > SHOWN_ITEMS

/** What fits of a record, the largest first; nothing within another. */
function bodiesIn(record: TranscriptRecord, fits: (value: unknown) => value is Body['value']): Body[] {
  const found: Body[] = []
  const visit = (value: unknown, path: Path): void => {
    if (fits(value)) found.push({ path, value, bytes: Buffer.byteLength(JSON.stringify(value)) })
    else if (Array.isArray(value)) for (const [index, item] of value.entries()) visit(item, [...path, index])
    else if (isObject(value)) for (const [key, item] of Object.entries(value)) visit(item, [...path, key])
  }
  visit(record, [])
  return found.toSorted((a, b) => b.bytes - a.bytes)
}

function setAt(target: object, path: Path, value: string | readonly unknown[]): void {
  const last = path.at(-1)
  const old = valueAt(target, path)
  const isSameKind = typeof value === 'string' ? typeof old === 'string' : Array.isArray(old)
  if (last === undefined || !isSameKind) throw new Error(`no body at ${path.join('.')}`)
  Reflect.set(valueAt(target, path.slice(0, -1)) as object, last, value)
}

/** The record with its bodies restored. `read` returns a blob's text by its SHA-256. */
export function readBodies(record: TranscriptRecord, read: (sha256: string) => string): TranscriptRecord {
  return restored(record, record.blobs ?? [], read)
}

/** The record with its lists restored, as readers count them; texts stay short. */
export function readLists(record: TranscriptRecord, read: (sha256: string) => string): TranscriptRecord {
  const lists = (record.blobs ?? []).filter(({ kept }) => kept !== undefined)
  return lists.length === 0 ? record : { ...restored(record, lists, read), blobs: record.blobs ?? [] }
}

function restored(record: TranscriptRecord, bodies: readonly MovedBody[], read: (sha256: string) => string) {
  if (record.blobs === undefined) return record
  const { blobs: _, ...copy } = structuredClone(record)
  for (const { path, sha256, kept } of bodies) {
    const text = read(sha256)
    setAt(copy, path, kept === undefined ? text : listIn(text))
  }
  return copy
}

function listIn(text: string): readonly unknown[] {
  const value: unknown = JSON.parse(text)
  if (!Array.isArray(value)) throw new Error('a moved list is no list')
  return value
}
