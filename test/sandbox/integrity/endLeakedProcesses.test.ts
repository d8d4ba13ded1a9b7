import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { endLeakedProcesses, endMarked, RUN_MARKER } from '../../../src/sandbox/integrity/endLeakedProcesses.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'

const MARKER = 'KODE_RUN_TEST_MARKER'

/** Starts a script whose processes bear a marker of their own, outside the group of this one. */
function startMarked(script: string): string {
  const value = randomUUID()
  const env = { PATH: process.env['PATH'] ?? '', [MARKER]: value }
  const child = spawn('sh', ['-c', script], { env, detached: true, stdio: 'ignore' })
  child.on('error', () => undefined)
  onTestFinished(() => void endMarked(MARKER, value))
  return value
}

function countOf(value: string): number {
  return readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && environmentOf(pid).includes(`${MARKER}=${value}`))
    .length
}

/** Empty for processes that are gone, or have ended and were not collected. */
function environmentOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0')
  } catch {
    return []
  }
}

describe.runIf(process.platform === 'linux')('a process with the marker (needs Linux)', () => {
  it('is ended even if it forks meanwhile', { tags: 'long' }, async () => {
    const value = startMarked('i=0; while [ $i -lt 400 ]; do sleep 1000 & i=$((i+1)); done; wait')
    await expect.poll(() => countOf(value), { timeout: 20_000, interval: 5 }).toBeGreaterThan(20)
    const ended = await endMarked(MARKER, value)
    expect([countOf(value), ended.every(({ killed }) => killed)]).toEqual([0, true])
    expect(ended.map(({ command }) => command)).toContain('sleep 1000')
  })

  it('has the same value: a process with another one survives', async () => {
    const other = startMarked('exec sleep 1000')
    await expect.poll(() => countOf(other), { timeout: 20_000 }).toBe(1)
    expect(await endMarked(MARKER, randomUUID())).toEqual([])
    expect(countOf(other)).toBe(1)
  })
})

describe.runIf(process.platform === 'linux')('what a run left (needs Linux)', () => {
  /** Starts a process in a folder; gives it an end with the test. */
  function startIn(cwd: string, env: Readonly<Record<string, string>> = {}) {
    const child = spawn('sleep', ['1000'], { cwd, env: { PATH: process.env['PATH'] ?? '', ...env }, stdio: 'ignore' })
    onTestFinished(() => void child.kill('SIGKILL'))
    return child
  }

  it('is none of what ends by itself a moment after its sandbox', { tags: 'long' }, async () => {
    const runId = randomUUID()
    const child = spawn('sleep', ['0.05'], { env: { PATH: process.env['PATH'] ?? '', [RUN_MARKER]: runId } })
    const [workspace, mayBeEnding] = ['/no/such/folder', true]
    expect(await endLeakedProcesses({ runId, workspace, mayBeEnding })).toEqual([])
    expect(child.signalCode).toBeNull()
    const lasting = startIn('/', { [RUN_MARKER]: runId })
    expect(await endLeakedProcesses({ runId, workspace, mayBeEnding })).toMatchObject([
      { pid: lasting.pid, killed: true },
    ])
  })

  it('is ended where it has the marker, told where it works in the checkout, and left alone elsewhere', async () => {
    const top = makeFolder()
    const workspace = join(top, 'work')
    for (const name of ['work/deep', 'elsewhere', 'work2']) mkdirSync(join(top, name), { recursive: true })
    const runId = randomUUID()
    const marked = startIn(join(top, 'elsewhere'), { [RUN_MARKER]: runId })
    const unmarked = startIn(join(workspace, 'deep'))
    const others = [startIn(join(top, 'elsewhere')), startIn(join(top, 'work2')), startIn(top)]
    const command = 'sleep 1000'
    expect(await endLeakedProcesses({ runId, workspace })).toEqual([
      { pid: marked.pid, command, killed: true },
      { pid: unmarked.pid, command, killed: false },
    ])
    await expect.poll(() => marked.signalCode).toBe('SIGKILL')
    expect([unmarked, ...others].map(({ signalCode, exitCode }) => signalCode ?? exitCode)).toEqual(Array(4).fill(null))
  })
})
