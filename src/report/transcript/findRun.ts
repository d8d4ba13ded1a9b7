import { existsSync, readdirSync, statSync } from 'node:fs'
import { isAbsolute, join, resolve } from 'node:path'
import { RunError } from '../../contracts/errors.ts'
import type { InitEvent, TranscriptRecord } from '../../contracts/events.ts'
import { readTranscript } from './readTranscript.ts'

/** Where to search for transcripts, and for which project; `asked` is what the user wrote before the name. */
export type RunPlace = {
  readonly folder: string
  readonly stateFolder: string
  readonly cwd: string
  readonly asked: string
}

/**
 * The transcript that a user names: a path, a run id or its start, a session id (its newest run), or `last` (`latest`)
 * for the newest one of this project in the state folder. Throws `usage` if there is none, or more than one.
 */
export async function findRun(name: string, { folder, stateFolder, cwd, asked }: RunPlace): Promise<string> {
  if (name === 'last' || name === 'latest') {
    const last = await newestRun(stateFolder, (first) => first.cwd === cwd)
    if (last !== undefined) return last
    throw new RunError('usage', `${asked} last: ${stateFolder} has no run of ${cwd}. Give the transcript's path.`)
  }
  const path = resolve(folder, name)
  if (isAbsolute(name) || existsSync(path) || !/^[0-9a-f][0-9a-f-]{5,35}$/.test(name)) return path
  const session = name.length === 36 ? await newestRun(stateFolder, (first) => first.session_id === name) : undefined
  if (session !== undefined) return session
  const found = transcriptsOf(stateFolder).filter((file) => file.startsWith(name))
  if (found.length === 1) return join(stateFolder, found[0] ?? '')
  const problem = found.length === 0 ? 'there is no run with this id' : `${found.length} runs start with it`
  throw new RunError('usage', `${asked} ${name}: ${problem} in ${stateFolder}. Give the transcript's path.`)
}

/** The first record of a transcript; undefined if it is not complete. */
export async function initOf(path: string): Promise<(InitEvent & TranscriptRecord) | undefined> {
  if (!existsSync(path)) return undefined
  for await (const item of readTranscript(path)) {
    if (item.kind === 'damage') return undefined
    const { record } = item
    return record.type === 'system' && record.subtype === 'init' ? record : undefined
  }
  return undefined
}

/** The newest transcript whose first record fits. */
async function newestRun(
  stateFolder: string,
  fits: (first: InitEvent & TranscriptRecord) => boolean,
): Promise<string | undefined> {
  const newest = transcriptsOf(stateFolder)
    .map((file) => join(stateFolder, file))
    .map((path) => ({ path, time: statSync(path).mtimeMs }))
    .toSorted((one, other) => other.time - one.time)
  for (const { path } of newest) {
    const first = await initOf(path)
    if (first !== undefined && fits(first)) return path
  }
  return undefined
}

function transcriptsOf(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder).filter((name) => /^[0-9a-f-]{36}\.jsonl$/.test(name)) : []
}
