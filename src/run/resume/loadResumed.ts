import { readFileSync, realpathSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { messageOf, RunError } from '../../contracts/errors.ts'
import type { InitEvent, ResumedEvent, TranscriptRecord } from '../../contracts/events.ts'
import type { ToolUseBlock, UserContent } from '../../contracts/messages.ts'
import { describeProcess, processState } from '../../lib/process/processIdentity.ts'
import { costOf } from '../../model/prices.ts'
import { readBodies } from '../../report/transcript/bodies.ts'
import { isUnbegun } from '../../report/transcript/isUnbegun.ts'
import { readTranscript } from '../../report/transcript/readTranscript.ts'
import { NO_PREVIOUS } from '../../report/transcript/transcript.ts'
import { endMarked, RUN_MARKER } from '../../sandbox/integrity/endLeakedProcesses.ts'
import { createConversationFold } from '../loop/createConversationFold.ts'
import type { RunRequest } from '../RunRequest.ts'
import { acquireLock, type Lock } from './acquireLock.ts'
import { pairCalls } from './pairCalls.ts'

export type Resumed = Readonly<NonNullable<Awaited<ReturnType<typeof loadResumed>>>>

/**
 * Reads the transcript of `--resume` and locks it, so that only one run at a time continues from it. Throws as
 * `readResumed` does, and `locked` while another resume is alive. Ends commands of a killed run that are still running.
 * Undefined for a run that was killed before its first record: it did nothing.
 */
export async function loadResumed(request: RunRequest, path: string) {
  const read = await readResumed(request, path)
  if (read === undefined) return undefined
  const { init, result, interrupted, denied, files, changed, todos, tasks, used } = read.folded
  const lock = lockOf(path, read.run, request.stateFolder)
  const ended = await endLeftovers(read.run, init)
  const { messages, open } = pairCalls(read.folded.messages)
  const from = { run: read.run, seq: read.seq, transcript: path, exit_reason: result?.exit_reason ?? null }
  const event: ResumedEvent = {
    type: 'system',
    subtype: 'resumed',
    from,
    conversation: JSON.stringify(messages),
    task: read.folded.task ?? init.prompt,
    ...{ used, interrupted, denied, files, todos, tasks },
    loaded_tools: read.folded.loadedTools,
  }
  return {
    event,
    messages,
    /** Calls of the last answer that have no results. */
    open,
    prompt: init.prompt,
    patch: result?.patch ?? null,
    changes: result?.changes ?? [],
    /** Files that its calls changed or were to change; absolute. */
    changedFiles: changed.map((path) => resolve(init.cwd, path)),
    base: init.base?.commit ?? null,
    policySha256: init.policy.sha256,
    plugins: init.plugins,
    warnings: [...read.warnings, ...ended.map((line) => `The killed run left a process: ${line}.`)],
    /** Processes of the killed run that were still running, one line each. They have been ended. */
    ended,
    lock,
    sessionId: read.sessionId,
  }
}

/**
 * What `--resume` continues; changes nothing. Throws `transcript_damaged` if it was changed or broken before its end
 * (unless `--repair`), `locked` while its run is alive, and `config` if the policy has changed (unless
 * `--accept-policy-change`). Undefined for a run without a first record.
 */
export async function readResumed(request: RunRequest, path: string) {
  const { config, policy } = request
  const read = await readRun(path, request)
  const { init, result } = read.folded
  if (init === null) {
    if (!isUnbegun(path)) throw damaged(path, 'it has no record of a run')
    if (request.prompt !== '') return undefined
    throw new RunError(
      'usage',
      `--resume ${path}: the run was killed before its first record. It did nothing: start it again, without --resume.`,
    )
  }
  if (result === null) refuseAlive(init, path)
  if (result?.exit_reason === 'completed' && request.prompt === '') {
    throw new RunError('usage', `--resume ${path}: the run is completed. Give a prompt to continue from there.`)
  }
  if (init.policy.sha256 !== policy.sha256 && !config.acceptPolicyChange) {
    throw new RunError(
      'config',
      `--resume ${path}: the policy is not the one of the run (sha256 ${init.policy.sha256.slice(0, 12)}…, now ${policy.sha256.slice(0, 12)}…). Use --accept-policy-change to continue under this one.`,
    )
  }
  return { ...read, folded: { ...read.folded, init } }
}

async function readRun(path: string, { config, policy }: RunRequest) {
  const fold = createConversationFold((model, usage) => costOf(model, usage, policy.settings.pricing))
  const state = { run: '', sessionId: '', seq: 0, head: NO_PREVIOUS }
  const warnings: string[] = []
  const complain = (line: number, reason: string): void => {
    if (!config.repair) throw damaged(path, `line ${line}: ${reason}`)
    if (warnings.length < MAX_WARNINGS) warnings.push(`Resumed from a damaged transcript, line ${line}: ${reason}`)
    else if (warnings.length === MAX_WARNINGS)
      warnings.push('Resumed from a damaged transcript: more is wrong with it, see `kode-run verify`')
  }
  for await (const item of readTranscript(path)) {
    if (item.kind === 'damage') {
      if (item.severity === 'middle') complain(item.line, item.reason)
      else if (item.severity === 'tail')
        warnings.push(`The last line of ${path} is incomplete and was left out: ${item.reason}`)
      continue
    }
    const { record, line, hash } = item
    if (state.run !== '' && record.run !== state.run) continue
    if (record.seq !== state.seq + 1 || record.prev !== state.head) complain(line, 'it does not follow the line before')
    fold.add(withBodies(record, dirname(path), (reason) => complain(line, reason)))
    Object.assign(state, { run: record.run, sessionId: record.session_id, seq: record.seq, head: hash })
  }
  return { run: state.run, sessionId: state.sessionId, seq: state.seq, folded: fold.conversation(), warnings }
}

const MAX_WARNINGS = 20

function withBodies(record: TranscriptRecord, folder: string, complain: (reason: string) => void): TranscriptRecord {
  try {
    return readBodies(record, (sha256) => readFileSync(join(folder, 'blobs', sha256), 'utf8'))
  } catch (error) {
    complain(`one of its bodies is missing: ${messageOf(error)}`)
    return record
  }
}

function refuseAlive({ process: owner }: InitEvent, path: string): void {
  if (owner === undefined || processState(owner) !== 'alive') return
  throw new RunError('locked', `--resume ${path}: the run is still active: ${describeProcess(owner)}.`)
}

/** Ends what a killed run left running. Touches nothing if the run may be alive on another host. */
async function endLeftovers(run: string, { process: owner }: InitEvent): Promise<string[]> {
  if (owner === undefined || processState(owner) !== 'dead') return []
  const left = await endMarked(RUN_MARKER, run)
  return left.map(
    ({ pid, command, killed }) => `${command} (pid ${pid}), ${killed ? 'ended now' : 'which cannot be ended'}`,
  )
}

/** Locks beside the transcript, where other hosts see it too; in the state folder if that is not writable. */
function lockOf(path: string, run: string, stateFolder: string): Lock {
  const options = { label: `--resume ${path}: the transcript` }
  try {
    return acquireLock(join(dirname(realpathSync(path)), 'locks', `resume-${run}`), options)
  } catch (error) {
    if (!(error instanceof RunError) || error.reason !== 'cannot_create') throw error
    return acquireLock(join(stateFolder, 'locks', `resume-${run}`), options)
  }
}

function damaged(path: string, why: string): RunError {
  return new RunError(
    'transcript_damaged',
    `--resume ${path}: ${why}. kode-run verify lists all problems; --repair continues with the intact part.`,
  )
}

/** The result of a call that had none: it is never repeated automatically. */
export function resultOf(call: ToolUseBlock, interrupted: ResumedEvent['interrupted']): UserContent {
  const started = interrupted.find(({ tool_use_id }) => tool_use_id === call.id)
  const content =
    started === undefined
      ? 'Not run: the run ended before this call started.'
      : started.is_read_only
        ? 'Interrupted: the run ended while this call was running. It only reads: call it again if you need it.'
        : 'Interrupted, outcome unknown: the run ended while this call was running. It was not run again; look at what it changed before you repeat it.'
  return { type: 'tool_result', tool_use_id: call.id, content, is_error: true }
}
