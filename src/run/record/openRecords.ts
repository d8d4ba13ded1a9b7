import { randomUUID } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { RunError } from '../../contracts/errors.ts'
import type { Usage } from '../../contracts/messages.ts'
import { commonDir, findRepository } from '../../git/own/ownGit.ts'
import type { Redactor } from '../../lib/secrets/redact.ts'
import { runnerFiles } from '../../lib/secrets/secretsFromEnvironment.ts'
import { costOf } from '../../model/prices.ts'
import { askBeforeReading, protectPaths } from '../../policy/load/loadPolicy.ts'
import type { Policy } from '../../policy/Policy.ts'
import { openTranscript, type Transcript } from '../../report/transcript/transcript.ts'
import { outputsFileName } from '../../report/words.ts'
import type { RunRequest } from '../RunRequest.ts'
import type { Resumed } from '../resume/loadResumed.ts'

/** The transcript and the files beside it. All paths are absolute. */
export type Records = {
  /** Of this run alone: names its transcript, and marks its processes. */
  readonly runId: string
  /** Of the run and of those that it continues. */
  readonly sessionId: string
  readonly transcript: Transcript
  /** Folder for files handed to the user, beside the transcript. */
  readonly artifacts: string
  readonly outputsFile: string
  /** Records of the run and files of the runner. No tool may touch them. */
  readonly records: readonly string[]
  /** The folder for bodies that are too large for the transcript. Read may open them. */
  readonly blobFolder: string
}

/** Opens the transcript of a new run. A resumed run stays in its session, unless `--fork-session` gives it one of its own. */
export function openRecords(
  request: RunRequest,
  redactor: Redactor,
  { ledger, resumed }: { readonly ledger: string | undefined; readonly resumed: Resumed | undefined },
): Records {
  const { config, stateFolder, commandFiles, environment } = request
  const runId = config.sessionId ?? randomUUID()
  if (existsSync(join(stateFolder, `${runId}.jsonl`)))
    throw new RunError('usage', `--session-id: there is a session ${runId}. Continue it with --resume ${runId}.`)
  const isFork = resumed === undefined || config.forkSession || config.sessionId !== undefined
  const sessionId = isFork ? runId : resumed.sessionId
  const place = config.transcript === undefined ? { folder: stateFolder } : { path: config.transcript }
  const { pricing } = request.policy.settings
  const cost = (model: string, usage: Usage) => costOf(model, usage, pricing)
  const transcript = openTranscript({ place, run: runId, sessionId, redactor, costOf: cost })
  const folder = dirname(transcript.path)
  const artifacts = join(folder, `${runId}-artifacts`)
  const outputsFile = join(folder, outputsFileName(runId))
  const named = [config.apiKeyFile, config.record, ledger].filter((path) => path !== undefined)
  const credentials = runnerFiles(environment, config.provider)
  const records = [stateFolder, transcript.path, outputsFile, artifacts, ...commandFiles, ...named, ...credentials]
  return { runId, sessionId, transcript, artifacts, outputsFile, records, blobFolder: join(folder, 'blobs') }
}

export function discardRecords({ transcript }: Records): void {
  transcript.close()
  rmSync(transcript.path)
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

/**
 * The policy of a run that also protects the run's own files and a git folder that is not named `.git` (`git init
 * --separate-git-dir`), whose configuration may contain a token.
 */
export async function protectRunFiles(
  policy: Policy,
  ownFiles: readonly string[],
  workspaces: readonly string[],
): Promise<Policy> {
  const folders = (await Promise.all(workspaces.map(gitFolders))).flat()
  const configs = folders.map((folder) => join(folder, 'config'))
  return protectPaths(configs.reduce(askBeforeReading, policy), [...ownFiles, ...folders])
}

async function gitFolders(workspace: string): Promise<readonly string[]> {
  const repository = findRepository(workspace)
  if (repository === undefined) return []
  const folders = [repository.gitDir, commonDir(repository.gitDir)]
  const others = [...new Set(folders)].filter((folder) => !folder.split(sep).includes('.git'))
  const stats = await Promise.all(others.map((folder) => stat(join(folder, 'HEAD')).catch(() => undefined)))
  return others.filter((_, index) => stats[index]?.isFile() === true)
}
