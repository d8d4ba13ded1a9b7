import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Usage } from '../../contracts/messages.ts'
import { runnerFiles } from '../../lib/secrets/runnerSecrets.ts'
import { costOf } from '../../model/prices.ts'
import { openTranscript } from '../../report/transcript/transcript.ts'
import type { RunRequest } from '../RunRequest.ts'
import type { Session } from '../Session.ts'

/** The transcript and the files beside it. All paths are absolute. */
export type Records = Pick<Session, 'sessionId' | 'transcript' | 'artifacts' | 'records' | 'blobFolder'> & {
  /** The file for proposed outputs. */
  readonly outputsFile: string
}

/** Opens the transcript of a new run. */
export function openRecords(request: RunRequest, redactor: Session['redactor'], ledger: string | undefined): Records {
  const { config, stateFolder, commandFiles, environment } = request
  const sessionId = randomUUID()
  const place = config.transcript === undefined ? { folder: stateFolder } : { path: config.transcript }
  const { pricing } = request.policy.settings
  const cost = (model: string, usage: Usage) => costOf(model, usage, pricing)
  const transcript = openTranscript({ place, run: sessionId, sessionId, redactor, costOf: cost })
  const folder = dirname(transcript.path)
  const artifacts = join(folder, `${sessionId}-artifacts`)
  const outputsFile = join(folder, `${sessionId}-outputs.jsonl`)
  const named = [config.apiKeyFile, config.record, ledger].filter((path) => path !== undefined)
  const credentials = runnerFiles(environment, config.provider)
  const records = [stateFolder, transcript.path, outputsFile, artifacts, ...commandFiles, ...named, ...credentials]
  return { sessionId, transcript, artifacts, outputsFile, records, blobFolder: join(folder, 'blobs') }
}

/** Removes the transcript of a run that did not start. */
export function discardRecords({ transcript }: Records): void {
  transcript.close()
  rmSync(transcript.path, { force: true })
}

/** Files that this run writes or has written. No call may write them. */
export function ownFiles(request: RunRequest, { records, blobFolder }: Records): readonly string[] {
  const { resume } = request.config
  return [...records, blobFolder, ...reportsOf(request), ...(resume === undefined ? [] : [resume])]
}

/** Files that the run leaves for people. They may already exist. */
export function reportsOf({ config }: RunRequest): readonly string[] {
  const { summaryFile, lastMessageFile, attestFile, debugFile } = config
  return [summaryFile, lastMessageFile, attestFile, debugFile].filter((path) => path !== undefined)
}
