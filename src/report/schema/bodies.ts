import { basename } from 'node:path'
import type { MovedBody, TranscriptRecord } from '../../contracts/events.ts'
import type { Blobs } from '../../lib/fs/blobStore.ts'

type Leaf = { readonly path: readonly (string | number)[]; readonly text: string }

const SHOWN = 2_000

/**
 * The record as one line of at most `longestLine` bytes. The largest strings move to blobs until it fits. Their first
 * and last characters remain, and `blobs` names each blob so that `readBodies` can restore it.
 */
export function moveBodies(
  record: TranscriptRecord,
  blobs: Blobs,
  longestLine: number,
): { record: TranscriptRecord; line: string } {
  const line = JSON.stringify(record)
  const bytes = Buffer.byteLength(line)
  if (bytes < longestLine) return { record, line }
  const leaves = leavesOf(record).toSorted((a, b) => b.text.length - a.text.length)
  const moved: MovedBody[] = []
  const copy = structuredClone(record)
  let excess = bytes - longestLine + 4_096
  for (const { path, text } of leaves) {
    if (excess <= 0 || text.length <= 2 * SHOWN) break
    const sha256 = basename(blobs.put(text))
    moved.push({ path, sha256, length: text.length })
    setAt(copy, path, shortened(text, sha256))
    excess -= Buffer.byteLength(JSON.stringify(text)) - 3 * SHOWN
  }
  const short = { ...copy, blobs: moved }
  const shortLine = JSON.stringify(short)
  if (Buffer.byteLength(shortLine) < longestLine) return { record: short, line: shortLine }
  throw new Error(`a record of ${bytes} bytes has no bodies that could be moved out of it`)
}

function shortened(text: string, sha256: string): string {
  const head = text.slice(0, SHOWN)
  const tail = text.slice(-SHOWN)
  return `${head}\n… ${text.length - 2 * SHOWN} characters, whole text in blobs/${sha256} …\n${tail}`
}

function leavesOf(value: unknown, path: readonly (string | number)[] = []): Leaf[] {
  if (typeof value === 'string') return [{ path, text: value }]
  if (typeof value !== 'object' || value === null) return []
  const entries: [string | number, unknown][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value)
  return entries.flatMap(([key, item]) => leavesOf(item, [...path, key]))
}

function setAt(target: object, path: readonly (string | number)[], text: string): void {
  const last = path.at(-1)
  let parent: unknown = target
  for (const key of path.slice(0, -1)) parent = ownValue(parent, key)
  if (last === undefined || typeof ownValue(parent, last) !== 'string') throw new Error(`no body at ${path.join('.')}`)
  Reflect.set(parent as object, last, text)
}

function ownValue(parent: unknown, key: string | number): unknown {
  return typeof parent === 'object' && parent !== null && Object.hasOwn(parent, key)
    ? Reflect.get(parent, key)
    : undefined
}

/** The record with its bodies restored. `read` returns a blob's text by its SHA-256. */
export function readBodies(record: TranscriptRecord, read: (sha256: string) => string): TranscriptRecord {
  if (record.blobs === undefined) return record
  const { blobs, ...copy } = structuredClone(record)
  for (const { path, sha256 } of blobs ?? []) setAt(copy, path, read(sha256))
  return copy
}
