import { resolve } from 'node:path'
import { projectRoot } from '../config/resolveConfig.ts'
import type { ProcessIo } from '../contracts/processIo.ts'
import { escapeWorkflowCommands } from '../report/markdown/encodeUntrusted.ts'
import { findRun } from '../report/transcript/findRun.ts'
import { openStateFolder } from '../report/transcript/openStateFolder.ts'
import { verifyTranscript } from '../report/transcript/verifyTranscript.ts'
import type { CommandLine } from './runCommandLine.ts'

export type NamedTranscript = {
  readonly path: string
  /** What the user wrote, if that is a path; else the path that was found. */
  readonly shown: string
}

/** The transcript that an argument names, as `--resume` takes it: a path, a run id, or `last`. */
export async function findTranscript(
  io: ProcessIo,
  { command, flags }: CommandLine,
  name: string,
): Promise<NamedTranscript> {
  const { path: stateFolder } = openStateFolder(io.environment, io.home)
  const path = await findRun(name, { folder: io.cwd, stateFolder, cwd: projectRoot(io, flags), asked: command })
  return { path, shown: path === resolve(io.cwd, name) ? name : path }
}

/** The same for each argument. */
export function findTranscripts(io: ProcessIo, line: CommandLine): Promise<readonly NamedTranscript[]> {
  return Promise.all(line.positionals.map((name) => findTranscript(io, line, name)))
}

/** Says where the hash chain shows a change, as what reads a record takes the file as it stands; null if nowhere. */
export async function warnOfChange(io: ProcessIo, { path, shown }: NamedTranscript, what: string) {
  const { isIntact, isUnfinished, problems } = await verifyTranscript(path)
  const [first] = problems
  if (isIntact || isUnfinished || first === undefined) return null
  const problem = `not intact from record ${first.seq} on (${first.reason}): do not trust ${what}.`
  io.warn(escapeWorkflowCommands(`${shown}:${first.line}: ${problem}\n`))
  return problem
}
