import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** Whether CPU and memory can be told here. */
export const hasProc = existsSync('/proc/self/stat')

/** Linux counts in hundredths of a second for whoever asks. */
const TICK_MS = 10

/** CPU time in ms of the children that have ended and of all below them. Grows as they end. */
export function cpuOfEndedChildren() {
  if (!hasProc) return undefined
  const [, , childUser, childSystem] = timesOf('self')
  return (childUser + childSystem) * TICK_MS
}

/** CPU time in ms that a process and all below it have taken, ended ones with them. */
export function cpuOfTree(pid) {
  return hasProc ? sum(treeOf(pid), (id) => sum(timesOf(id), Number)) * TICK_MS : undefined
}

/** The peaks of resident memory of a process and of all that live below it, in MB. */
export function memoryOfTree(pid) {
  const peakOf = (id) => Number(/VmHWM:\s+(\d+)/.exec(readOr(`/proc/${id}/status`))?.[1] ?? 0)
  return hasProc ? sum(treeOf(pid), peakOf) / 1024 : undefined
}

function treeOf(pid) {
  // Each thread has children of its own.
  const below = threadsOf(pid).flatMap((id) => readOr(`/proc/${pid}/task/${id}/children`).split(' '))
  return [pid, ...below.filter(Boolean).flatMap(treeOf)]
}

function threadsOf(pid) {
  try {
    return readdirSync(`/proc/${pid}/task`)
  } catch {
    return []
  }
}

/** utime, stime, cutime, cstime. */
function timesOf(id) {
  const fields = readOr(`/proc/${id}/stat`).split(') ').at(-1).split(' ')
  return fields.slice(11, 15).map(Number)
}

/** Empty once the process has ended. */
function readOr(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

function sum(values, of) {
  return values.reduce((total, value) => total + of(value), 0)
}
