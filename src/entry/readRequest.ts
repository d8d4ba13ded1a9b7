import { realpathSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { loadCommandPolicy } from '../commands/policy/loadCommandPolicy.ts'
import { atSnapshot, type SnapshotPlace, withSnapshot } from '../config/atSnapshot.ts'
import type { FlagValues, Invocation } from '../config/parseArguments.ts'
import { readPrompt } from '../config/readPrompt.ts'
import { projectRoot, resolveConfig } from '../config/resolveConfig.ts'
import { unknownVariables, withEnvironment } from '../config/withEnvironment.ts'
import { RunError } from '../contracts/errors.ts'
import type { ProcessIo } from '../contracts/processIo.ts'
import { isFolder } from '../lib/fs/folders.ts'
import { isWithin } from '../lib/fs/isWithin.ts'
import { readInputFile } from '../lib/fs/readInputFile.ts'
import { unnamedPolicy } from '../policy/load/loadPolicy.ts'
import { findRun, initOf, type RunPlace } from '../report/transcript/findRun.ts'
import { openStateFolder } from '../report/transcript/openStateFolder.ts'
import type { RunRequest } from '../run/run.ts'
import { keyVariable, readApiKey } from '../sandbox/environment/readApiKey.ts'
import { commandFiles } from '../sandbox/integrity/takeSnapshot.ts'
import { leaveCheckout } from './leaveCheckout.ts'

export type RunInvocation = Extract<Invocation, { readonly command: string; readonly flags: FlagValues }>

/** Input of an entry point in addition to flags and environment. */
export type RunSurroundings = {
  readonly signal: AbortSignal
  /** Replaces the key of flags and environment. */
  readonly apiKey?: string | undefined
  /** Added to the task. */
  readonly context?: string
} & Pick<RunRequest, 'configRoot' | 'configTop' | 'trust' | 'origin' | 'warnings' | 'now' | 'dropsPrivileges'>

/** Reads and checks all outside input, in the order usage, policy, credentials. */
export async function readRequest(
  io: ProcessIo,
  invocation: RunInvocation,
  outside: RunSurroundings,
): Promise<RunRequest> {
  const { positionals } = invocation
  const { environment, home } = io
  const given = withEnvironment(invocation.flags, environment)
  const { signal, now, configRoot, configTop, trust, origin } = outside
  const cwd = projectRoot(io, given)
  const folder = realpathSync(io.cwd)
  resolveConfig(given, environment, {}, cwd, folder)
  checkFolders(given, folder)
  const { path: stateFolder, warnings: stateWarnings } = openStateFolder(environment, home)
  const flags = await withResumed(given, { folder, stateFolder, cwd })
  const ownCommandFiles = commandFiles(environment)
  const snapshot = configRoot === undefined ? undefined : { cwd, root: configRoot, top: configTop ?? cwd }
  const transcript = flags['transcript'] as string | undefined
  const written = [stateFolder, ...ownCommandFiles, transcript === undefined ? [] : resolve(io.cwd, transcript)]
  const policy = await loadCommandPolicy(io, flags, {
    ...{ cwd, untouchable: written.flat() },
    ...(snapshot && { read: (path: string) => readFromSnapshot(realPlace(path, io.cwd), snapshot) }),
  })
  const resolved = resolveConfig(flags, environment, policy.settings.run, cwd, folder)
  const config = snapshot === undefined ? resolved : withSnapshot(resolved, snapshot)
  const isStreamed = config.inputFormat === 'stream-json'
  if (isStreamed && positionals.length > 0)
    throw new RunError('usage', 'With --input-format stream-json the prompt comes on stdin.')
  const file = flags['prompt-file'] as string | undefined
  const promptFile = file && { 'prompt-file': atSnapshot(realPlace(resolve(io.cwd, file), io.cwd), snapshot) }
  const needsNone = isStreamed || (config.dryRun && file === undefined)
  const prompt = await readPrompt({
    argument: positionals[0] ?? (needsNone ? NO_TASK : undefined),
    flags: { ...flags, ...promptFile },
    cwd: io.cwd,
    params: policy.settings.run.params ?? {},
    isOptional: config.resume !== undefined,
    timeoutMs: config.limits.timeoutMs,
    readStdin: isStreamed ? () => Promise.resolve(undefined) : io.readStdin,
  })
  const { apiKeyFile, apiKeyDescriptor, replay } = config
  const keyPlaces = { descriptor: apiKeyDescriptor, file: apiKeyFile, variable: keyVariable(environment) }
  const apiKey = replay === undefined ? (outside.apiKey ?? (await readApiKey(keyPlaces))) : undefined
  return {
    prompt: outside.context ? `${prompt}\n\n${outside.context}` : prompt,
    ...{ config, policy, environment, home, stateFolder, apiKey, commandFiles: ownCommandFiles, signal },
    ...(configRoot === undefined ? {} : { configRoot, configTop: configTop ?? cwd }),
    ...(now && { now }),
    dropsPrivileges: outside.dropsPrivileges ?? false,
    ...(trust && { trust }),
    ...(origin && { origin }),
    warnings: [
      ...(outside.warnings ?? []),
      ...(invocation.warnings ?? []),
      ...stateWarnings,
      ...leaveCheckout([config.cwd, ...config.addDirs, ...policy.settings.additionalDirectories]),
      ...unknownVariables(environment),
      ...unnamedPolicy(policy),
    ],
    note: (text) => io.warn(`${text}\n`),
  }
}

/** A dry run asks the model nothing, so it needs no task. With `stream-json` input the tasks come later. */
const NO_TASK = '(dry run)'

/** A file of the checkout, read from the snapshot; any other file unchanged. */
async function readFromSnapshot(path: string, snapshot: SnapshotPlace): Promise<string> {
  const place = atSnapshot(path, snapshot)
  const options = { label: '', reason: 'config', maxBytes: 1_048_576 } as const
  return readInputFile(place, options).catch((error: unknown) => {
    if (!(error instanceof RunError)) throw error
    throw new Error(error.message.replace(` ${place}: `, 'at the base commit: '), { cause: error })
  })
}

/**
 * The path with the links of the current folder resolved, as in `cwd`. Links below it are not followed: the checkout
 * must not choose what is read from the snapshot.
 */
function realPlace(path: string, folder: string): string {
  return isWithin(path, folder) ? join(realpathSync(folder), relative(folder, path)) : path
}

/** Refuses a missing working directory, whose name is probably misspelled. */
function checkFolders(flags: FlagValues, folder: string): void {
  for (const directory of (flags['add-dir'] as string[] | undefined) ?? []) {
    if (!isFolder(resolve(folder, directory)))
      throw new RunError('usage', `--add-dir: there is no folder ${resolve(folder, directory)}.`)
  }
}

/**
 * The flags with `--resume` as a path, and the policy of that run if none is given. A transcript in the checkout
 * provides no policy, because the author of the checkout may have written it.
 */
export async function withResumed(flags: FlagValues, place: Omit<RunPlace, 'asked'>): Promise<FlagValues> {
  const name = flags['resume'] as string | undefined
  if (name === undefined) return flags
  const resume = await findRun(name, { ...place, asked: '--resume' })
  if (flags['policy'] !== undefined || flags['settings'] !== undefined || isWithin(resume, place.cwd))
    return { ...flags, resume }
  const [policy] = (await initOf(resume))?.policy.files ?? []
  if (policy === undefined) return { ...flags, resume }
  if (!policy.startsWith('/'))
    throw new RunError('usage', `--resume ${name}: the run had its rules in --settings. Give --settings again.`)
  return { ...flags, resume, policy }
}
