import { readdirSync, readlinkSync, statSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type { ProcessLeakedEvent } from '../../contracts/events.ts'
import { readRaw } from '../../lib/fs/atPath.ts'
import { isWithin } from '../../lib/fs/isWithin.ts'
import { orElse } from '../../lib/orElse.ts'
import { isLive, processStat, startOf } from '../../lib/process/processIdentity.ts'

/** The variable that marks the children of a run. */
export const RUN_MARKER = 'KODE_RUN_ID'

/** The variable that marks the processes of one command, if nothing else ends them with the command. */
export const COMMAND_MARKER = 'KODE_RUN_COMMAND'

/** A process may have forked during the search: the search is repeated until nothing has the marker. */
const ROUNDS = 5
const BETWEEN_ROUNDS_MS = 20
/** Under load the kernel has taken a tenth of a second to end what was in a sandbox. */
const ENDING_MS = 1000

/** A process of a run that outlived its command. */
export type LeakedProcess = ProcessLeakedEvent['processes'][number]

export type SweepOptions = {
  readonly runId: string
  /** Absolute and resolved. */
  readonly workspace: string
  /** True if a sandbox was just ended: the kernel ends its processes by itself, but a moment later. */
  readonly mayBeEnding?: boolean
}

/**
 * The processes that a run left. Those with its marker are killed. Those that dropped it are only reported: processes
 * of the same user, in the workspace, started after this process. Empty without `/proc`; never throws.
 */
export async function endLeakedProcesses(options: SweepOptions): Promise<LeakedProcess[]> {
  const { runId, workspace, mayBeEnding = false } = options
  if (process.platform !== 'linux') return []
  // What this run started cannot be older than this process.
  const begin = startOf(processStat(process.pid)) ?? -1
  const isMarked = hasMarker(RUN_MARKER, runId)
  let live = liveProcesses(begin)
  const until = performance.now() + (mayBeEnding ? ENDING_MS : 0)
  while (performance.now() < until && live.some(isMarked)) {
    await delay(BETWEEN_ROUNDS_MS)
    live = liveProcesses(begin)
  }
  const { killed, left: seen } = await killMarked(live, isMarked, begin)
  // Without a sandbox, what forks all the time may hide from one look.
  const left = mayBeEnding ? seen : liveProcesses(begin)
  const known = new Set(killed.map(({ pid }) => pid))
  // One of the same clock tick may be the parent of this process.
  const isUnmarked = ({ pid, start }: Live) => start > begin && worksIn(pid, workspace) && !known.has(pid)
  const unmarked = withoutReaders(left.filter(isUnmarked))
  return [...killed, ...unmarked.map(({ pid }) => ({ pid, command: commandOf(pid), killed: false }))]
}

/** Kills everything with this variable, and settles when it has ended. Never throws; does nothing without `/proc`. */
export async function endMarked(name: string, value: string): Promise<LeakedProcess[]> {
  if (process.platform !== 'linux') return []
  return (await killMarked(liveProcesses(0), hasMarker(name, value), 0)).killed
}

type Live = { readonly pid: number; readonly start: number }

/**
 * `since`: what started earlier is left out, in clock ticks since boot. `left`: what lives after the last round. To look
 * through all processes takes 10 ms, so each look serves twice.
 */
async function killMarked(live: readonly Live[], isMarked: (process: Live) => boolean, since: number) {
  const ended = new Map<number, LeakedProcess>()
  let left = live
  for (let round = 0; round < ROUNDS; round++) {
    const found = left.filter(isMarked)
    if (found.length === 0) break
    for (const { pid } of found) ended.set(pid, { pid, command: commandOf(pid), killed: kill(pid) })
    await delay(BETWEEN_ROUNDS_MS)
    left = liveProcesses(since)
  }
  return { killed: [...ended.values()], left }
}

/** All live processes except this one that did not start before `since`. */
function liveProcesses(since: number): Live[] {
  const pids = readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number)
  return pids.flatMap((pid) => {
    const stat = processStat(pid)
    const start = startOf(stat) ?? -1
    return pid === process.pid || start < since || !isLive(stat) ? [] : [{ pid, start }]
  })
}

function hasMarker(name: string, value: string): (process: Live) => boolean {
  return ({ pid }) => readRaw(`/proc/${pid}/environ`).split('\0').includes(`${name}=${value}`)
}

function worksIn(pid: number, workspace: string): boolean {
  return orElse(
    false,
    () => statSync(`/proc/${pid}`).uid === process.getuid?.() && isWithin(readlinkSync(`/proc/${pid}/cwd`), workspace),
  )
}

function commandOf(pid: number): string {
  return readRaw(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim().slice(0, 200)
}

function kill(pid: number): boolean {
  return orElse(false, () => process.kill(pid, 'SIGKILL'))
}

/** Without `tee` and the like, which the shell starts beside the run: what reads its output, and what reads theirs. */
function withoutReaders(processes: readonly Live[]): readonly Live[] {
  if (processes.length === 0) return processes
  // The first of them may be older than this process, and the last one younger.
  const readers = readersOf(pipesOf(process.pid, [1, 2]), liveProcesses(0))
  return processes.filter(({ pid }) => !readers.has(pid))
}

function readersOf(pipes: readonly string[], among: readonly Live[]): ReadonlySet<number> {
  const found = among.filter(({ pid }) => pipesOf(pid, [0]).some((pipe) => pipes.includes(pipe)))
  if (found.length === 0) return new Set()
  const theirs = found.flatMap(({ pid }) => pipesOf(pid, [1, 2]))
  const others = among.filter((each) => !found.includes(each))
  return new Set([...found.map(({ pid }) => pid), ...readersOf(theirs, others)])
}

function pipesOf(pid: number, descriptors: readonly number[]): readonly string[] {
  return descriptors.flatMap((descriptor) => {
    const target = orElse('', () => readlinkSync(`/proc/${pid}/fd/${descriptor}`))
    return target.startsWith('pipe:') ? [target] : []
  })
}
