import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { TranscriptRecord } from '../../contracts/events.ts'
import { createPairing } from './pairing.ts'
import { type ReadRecord, readTranscript } from './readTranscript.ts'
import { NO_PREVIOUS } from './transcript.ts'

/** A reason not to trust the file. `seq` is the number that the record has, or should have had. */
type Problem = { readonly seq: number; readonly line: number; readonly reason: string }

export type Verification = {
  readonly isIntact: boolean
  /** True if only a kill or a full disk is to be seen: no end record, a torn last line, calls without results. */
  readonly isUnfinished: boolean
  /** The first of them names the first bad `seq`; at most 100. */
  readonly problems: readonly Problem[]
  readonly run: string | null
  readonly records: number
  /** Calls that have their results. */
  readonly calls: number
  /** False for a run that was killed: its record is good as far as it goes, and has no end. */
  readonly hasEnd: boolean
  /** Hash of the last record. Only a head kept elsewhere shows that lines were cut off the end. */
  readonly head: string
}

const MAX_PROBLEMS = 100

/**
 * Checks a transcript: the hash chain, the numbering, the pairs of call and result, the bodies in blobs, the end
 * record, and that a saved head is in it. Throws `bad_input` if there is no readable file.
 */
export async function verifyTranscript(path: string, notedHead?: string): Promise<Verification> {
  const problems: Problem[] = []
  const pairing = createPairing()
  let last = { seq: 0, head: NO_PREVIOUS, line: 0 }
  let run: string | null = null
  let [records, calls] = [0, 0]
  let [isChanged, hasEnd, isFull, hasHead] = [false, false, false, false]
  const reportKill = (reason: string, line = last.line + 1, seq = last.seq + 1): void => {
    if (problems.length < MAX_PROBLEMS) problems.push({ seq, line, reason })
  }
  const report: typeof reportKill = (...problem) => {
    isChanged = true
    reportKill(...problem)
  }
  for await (const item of readTranscript(path)) {
    if (item.kind === 'damage') {
      const isKill = item.severity === 'tail' && !hasEnd
      if (item.severity !== 'harmless') (isKill ? reportKill : report)(item.reason, item.line)
      continue
    }
    const { record, line, hash } = item
    const unpaired = pairing.add(record)
    const found = [...chainProblems(item, last), ...unpaired, ...(await blobProblems(record, dirname(path)))]
    for (const reason of found) report(reason, line, record.seq)
    if (hasEnd) report('a record after the end record', line, record.seq)
    run ??= record.run
    hasEnd ||= record.type === 'result' && record.run === run
    isFull ||= record.type === 'result' && record.exit_reason === 'io_error'
    hasHead ||= hash === notedHead
    records += 1
    calls += resultsIn(record) - unpaired.length
    last = { seq: record.seq, head: hash, line }
  }
  if (!hasEnd) reportKill('the end record is missing')
  for (const id of pairing.open()) (hasEnd && !isFull ? report : reportKill)(`the call ${id} has no result`)
  if (notedHead !== undefined && !hasHead)
    report(`no record has the noted head ${notedHead}: the file was cut or changed`)
  const isIntact = problems.length === 0
  const isUnfinished = !isIntact && !isChanged && records > 0
  return { isIntact, isUnfinished, problems, run, records, calls, head: last.head, hasEnd }
}

function resultsIn(record: TranscriptRecord): number {
  if (record.type !== 'user') return 0
  return record.message.content.filter((block) => block.type === 'tool_result').length
}

function chainProblems({ record, hash }: ReadRecord, last: { seq: number; head: string }): string[] {
  const found: string[] = []
  if (record.seq !== last.seq + 1) found.push(`number ${record.seq} where ${last.seq + 1} was expected`)
  if (record.prev !== last.head)
    found.push(`prev is not the hash of the line before (this line's is ${hash.slice(0, 12)}…)`)
  return found
}

async function blobProblems(record: TranscriptRecord, folder: string): Promise<string[]> {
  const outcomes = record.type === 'user' ? (record.tool_use_result ?? []) : []
  const named = [
    ...(record.blobs ?? []).map(({ sha256 }) => sha256),
    ...outcomes.flatMap(({ blob }) => (blob === undefined ? [] : [blob.replace(/^.*\//, '')])),
  ]
  const found: string[] = []
  for (const sha256 of named) {
    const seen = /^[0-9a-f]{64}$/.test(sha256) ? await hashOfFile(join(folder, 'blobs', sha256)) : null
    if (seen === null) found.push(`the body blobs/${sha256} is missing`)
    else if (seen !== sha256) found.push(`the body blobs/${sha256} was changed`)
  }
  return found
}

async function hashOfFile(path: string): Promise<string | null> {
  const hash = createHash('sha256')
  return pipeline(createReadStream(path), hash).then(
    () => hash.digest('hex'),
    () => null,
  )
}
