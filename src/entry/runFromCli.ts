import { resolve } from 'node:path'
import { projectRoot } from '../config/resolveConfig.ts'
import { withEnvironment } from '../config/withEnvironment.ts'
import { EXIT_CODES, RunError } from '../contracts/errors.ts'
import type { ProcessIo } from '../contracts/processIo.ts'
import { removeOutput } from '../files/openOutputFile.ts'
import { forEachEvent } from '../lib/async/mergeGenerators.ts'
import { resultBeforeAbort } from '../lib/async/resultBeforeAbort.ts'
import { orElse } from '../lib/orElse.ts'
import { encodeUntrusted } from '../report/markdown/encodeUntrusted.ts'
import { type RunRequest, run } from '../run/run.ts'
import { childPath } from '../sandbox/environment/childPath.ts'
import { addRefusal } from './addSummary.ts'
import { listenForSignals } from './listenForSignals.ts'
import { openEventReaders, type Readers } from './openEventReaders.ts'
import { type RunInvocation, readRequest } from './readRequest.ts'

/** `kode-run [run] [prompt]`: reads the request, runs it, and passes every record to every reader. */
export async function runFromCli(io: ProcessIo, given: RunInvocation): Promise<number> {
  const invocation = { ...given, flags: withEnvironment(given.flags, io.environment) }
  const signals = listenForSignals((text) => io.warn(encodeUntrusted(text)))
  const snapshot = await openPolicyRef(io, invocation).catch((error: unknown) => noteRefusal(io, invocation, error))
  try {
    const reading = readRequest(io, invocation, {
      ...{ signal: signals.signal, now: signals.now },
      ...(snapshot && {
        ...{ configRoot: snapshot.root, configTop: snapshot.top },
        origin: { event: null, config_commit: snapshot.commit },
      }),
    })
    // A signal may arrive while it waits, for example for a prompt.
    const request = await resultBeforeAbort(reading, signals.signal)
    if (request === undefined) throw signals.signal.reason
    if (request.config.dryRun) return await (await import('./showDryRun.ts')).showDryRun(io, request)
    io.keepSmall?.()
    if (request.config.inputFormat === 'stream-json')
      return await (await import('./control/runControlled.ts')).runControlled(io, request)
    return await follow(request, openEventReaders(io, request.config))
  } catch (error) {
    return await noteRefusal(io, invocation, error)
  } finally {
    await snapshot?.close()
    signals.stop()
  }
}

/** `--policy-ref`: the files of that commit steer the run, whatever the checkout contains. */
async function openPolicyRef(io: ProcessIo, { flags }: RunInvocation) {
  const ref = flags['policy-ref'] as string | undefined
  if (ref === undefined) return undefined
  if (flags['policy'] === undefined) throw new RunError('usage', '--policy-ref needs --policy: the file to read there.')
  const { openSnapshot } = await import('../git/own/openSnapshot.ts')
  const { createGitRunner } = await import('../git/own/ownGit.ts')
  const cwd = projectRoot(io, flags)
  return openSnapshot({ cwd, ref, runGit: createGitRunner(childPath(io.environment['PATH'], cwd)) })
}

/** Runs to the end, for every reader, to the exit code: none of success if a requested file was not written. */
export async function follow(request: RunRequest, readers: Readers): Promise<number> {
  const environment = { ...request.environment, ...(await readers.environment()) }
  const records = run({ ...request, environment })
  const { exit_code } = await forEachEvent(records, readers.event)
  const isWritten = await readers.close()
  return exit_code === 0 && !isWritten ? EXIT_CODES.io_error.code : exit_code
}

/** Writes a requested summary for a run that did not start, leaves no statement about it, and rethrows its error. */
async function noteRefusal(io: ProcessIo, { flags }: RunInvocation, error: unknown): Promise<never> {
  const file = flags['summary'] as string | undefined
  if (file !== undefined && error instanceof RunError) await addRefusal(io, resolve(io.cwd, file), error)
  const attest = flags['attest'] as string | undefined
  // A statement of an earlier run would look like one of this run. The refusal of the run matters more.
  if (attest !== undefined) orElse(undefined, () => removeOutput(resolve(io.cwd, attest)))
  throw error
}
