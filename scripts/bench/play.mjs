import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { cpuOfEndedChildren, cpuOfTree, memoryOfTree } from './processTree.mjs'

const LIMIT_MS = 1_800_000

/**
 * Plays one run of a peer. `script(turn)` are the calls of a turn, from 1: `{ kind, says, … }`, where `says` is what the model
 * must get for it. None ends the run. In ms, MB and bytes: `toTurn[n]` is from the answer before the n-th request to it,
 * `grown[n]` by how much it is longer, `cpu[n]` and `memory[n]` are those of the process until then, for each `n` of `watch`.
 */
export async function play({ peer, place, model, script, watch = [1], hasServer = false, delayMs = 0 }) {
  const seen = { turns: 0, toTurn: [], grown: [], cpu: [], memory: [] }
  let [answered, length, expected, failure, first] = [0, 0, [], undefined, undefined]
  let pid
  model.answer = async ({ text, at }) => {
    const turn = ++seen.turns
    first ??= at
    seen.toTurn[turn] = at - answered
    seen.grown[turn] = Buffer.byteLength(text) - length
    length = Buffer.byteLength(text)
    if (watch.includes(turn)) [seen.cpu[turn], seen.memory[turn]] = [cpuOfTree(pid), memoryOfTree(pid)]
    const lost = expected.filter(({ says }) => !(says instanceof RegExp ? says.test(text) : text.includes(says)))
    if (lost.length > 0) failure ??= `turn ${turn - 1} did not work: ${lastOf(text)}`
    expected = failure === undefined ? script(turn) : []
    const calls = expected.map((call, index) => ({ id: `toolu_${turn}_${index}`, ...peer.calls[call.kind](call) }))
    if (delayMs > 0) await wait(delayMs)
    answered = performance.now()
    return calls
  }
  const words = [...peer.start.slice(1), ...peer.words({ ...place, hasServer })]
  const before = cpuOfEndedChildren()
  const started = performance.now()
  const child = spawn(peer.start[0], words, {
    cwd: place.work,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: process.env.PATH, HOME: place.home, TMPDIR: join(place.folder, 'tmp'), ...peer.env(place.url) },
    timeout: LIMIT_MS,
  })
  pid = child.pid
  let said = ''
  child.stderr.on('data', (data) => {
    said += data
  })
  await once(child, 'exit')
  const ended = performance.now()
  if (child.exitCode !== 0)
    failure ??= `it ended with ${child.exitCode ?? child.signalCode}: ${said.trim().slice(-200)}`
  if (first === undefined) failure ??= 'it asked no model'
  if (failure !== undefined) throw new Error(failure)
  return {
    ...seen,
    wall: ended - started,
    cpuOfAll: before === undefined ? undefined : cpuOfEndedChildren() - before,
    toFirst: first - started,
    exit: ended - answered,
  }
}

/** The end of the newest result. */
const lastOf = (text) => {
  const { messages, input } = JSON.parse(text)
  return JSON.stringify((messages ?? input).at(-1)).slice(0, 300)
}
