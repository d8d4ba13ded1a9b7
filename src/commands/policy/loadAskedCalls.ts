import { projectRoot } from '../../config/resolveConfig.ts'
import type { ProcessIo } from '../../contracts/processIo.ts'
import { type AskedCall, createAskedCalls } from '../../report/fold/askedCalls.ts'
import { readTranscript } from '../../report/transcript/readTranscript.ts'
import { findTranscripts } from '../findTranscript.ts'
import type { CommandLine } from '../runCommandLine.ts'

/**
 * The calls that the runs decided about, in order. The project folder of each run becomes the one of the command, so
 * that records of another machine can be judged here. Throws `bad_input` if a file is missing.
 */
export async function loadAskedCalls(io: ProcessIo, line: CommandLine): Promise<readonly AskedCall[]> {
  const root = projectRoot(io, line.flags)
  const calls: AskedCall[] = []
  for (const { path } of await findTranscripts(io, line)) calls.push(...(await loadOne(path, root)))
  return calls
}

async function loadOne(file: string, root: string): Promise<readonly AskedCall[]> {
  const asked = createAskedCalls()
  let cwd = root
  for await (const item of readTranscript(file)) {
    if (item.kind !== 'record') continue
    const { record } = item
    if (record.type === 'system' && record.subtype === 'init') cwd = record.cwd
    asked.add(record)
  }
  return cwd === root ? asked.calls() : (moved(asked.calls(), cwd, root) as readonly AskedCall[])
}

/** The same value, with paths below `from` moved below `to`. */
function moved(value: unknown, from: string, to: string): unknown {
  if (typeof value === 'string') return value.replaceAll(pathOf(from), to)
  if (Array.isArray(value)) return value.map((each) => moved(each, from, to))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, moved(each, from, to)]))
}

/** Matches the whole path, not the start of a longer name. */
function pathOf(path: string): RegExp {
  return new RegExp(`${path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\w.-])`, 'g')
}
