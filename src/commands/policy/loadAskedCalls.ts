import { projectRoot } from '../../config/resolveConfig.ts'
import { RunError } from '../../contracts/errors.ts'
import type { ProcessIo } from '../../contracts/processIo.ts'
import { isObject } from '../../lib/isObject.ts'
import { type AskedCall, createAskedCalls } from '../../report/fold/askedCalls.ts'
import { readTranscript } from '../../report/transcript/readTranscript.ts'
import { findTranscripts, type NamedTranscript, warnOfChange } from '../findTranscript.ts'
import type { CommandLine } from '../runCommandLine.ts'

/**
 * The calls that the runs decided about, in order. The project folder of each run becomes the one of the command, so
 * that records of another machine can be judged here. Throws `bad_input` if a file is missing or has no record of a run.
 */
export async function loadAskedCalls(io: ProcessIo, line: CommandLine): Promise<readonly AskedCall[]> {
  const root = projectRoot(io, line.flags)
  const calls: AskedCall[] = []
  for (const transcript of await findTranscripts(io, line)) {
    calls.push(...(await loadOne(transcript, root)))
    const change = await warnOfChange(io, transcript, 'what is said of it')
    if (change !== null && line.flags['expect-same'] === true)
      throw new RunError('bad_input', `${transcript.shown} was changed: it proves nothing.`)
  }
  return calls
}

async function loadOne({ path, shown }: NamedTranscript, root: string): Promise<readonly AskedCall[]> {
  const asked = createAskedCalls()
  let cwd = root
  let isEmpty = true
  for await (const item of readTranscript(path)) {
    if (item.kind !== 'record') continue
    const { record } = item
    isEmpty = false
    if (record.type === 'system' && record.subtype === 'init') cwd = record.cwd
    asked.add(record)
  }
  // No call that differs is not a proof where there is no run.
  if (isEmpty) throw new RunError('bad_input', `${shown}: contains no record of a run.`)
  // The whole path, not the start of a longer name.
  const from = new RegExp(`${cwd.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\w.-])`, 'g')
  return cwd === root ? asked.calls() : (moved(asked.calls(), from, root) as readonly AskedCall[])
}

function moved(value: unknown, from: RegExp, to: string): unknown {
  if (typeof value === 'string') return value.replaceAll(from, to)
  if (Array.isArray(value)) return value.map((each) => moved(each, from, to))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, moved(each, from, to)]))
}
