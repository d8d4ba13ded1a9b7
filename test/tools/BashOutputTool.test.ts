import { describe, expect, it, vi } from 'vitest'
import { createCommandAccess } from '../../src/sandbox/createCommandAccess.ts'
import { BashOutputTool } from '../../src/tools/BashOutputTool/BashOutputTool.ts'
import { BashTool } from '../../src/tools/BashTool/BashTool.ts'
import { KillShellTool } from '../../src/tools/KillShellTool/KillShellTool.ts'
import { isAlive } from '../helpers/runs/isAlive.ts'
import { createToolContext, runTool } from '../helpers/tools/toolContext.ts'

/** The command says its first words within milliseconds, but not on a busy machine. */
const WAIT = { timeout: 10_000 }

function createContext() {
  const context = createToolContext()
  const commands = createCommandAccess({
    environment: { PATH: '/usr/local/bin:/usr/bin:/bin' },
    runId: 'test',
    putBlob: (content) => context.blobs.put(content),
    defaultTimeoutMs: 10_000,
    maxTimeoutMs: 60_000,
    deadline: context.deadline,
  })
  return { ...context, commands }
}

describe('a background command', () => {
  it('returns its output in pieces, and its end', async () => {
    const context = createContext()
    const command = 'echo first; read -r line < <(until [ -e go ]; do sleep 0.05; done; echo go); echo last >&2; exit 3'
    const { data } = await runTool<{ backgroundTaskId?: string }>(
      BashTool,
      { command, run_in_background: true },
      context,
    )
    const id = data?.backgroundTaskId
    const first = await vi.waitFor(async () => {
      const run = await runTool(BashOutputTool, { bash_id: id }, context)
      expect(run.text).toContain('first')
      return run
    }, WAIT)
    expect(first.text).toContain(`${id}: running`)
    await context.files.write(`${context.cwd}/go`, new Uint8Array())
    const last = await runTool(BashOutputTool, { task_id: id, block: true }, context)
    expect(last.text).toBe(`${id}: exited, exit code 3\nlast`)
    const again = await runTool(BashOutputTool, { bash_id: id }, context)
    expect(again.text).toBe(`${id}: exited, exit code 3\n(nothing new)`)
    await context.commands.closeAll()
  })

  it('is ended with what it started', async () => {
    const context = createContext()
    const command = 'sleep 300 & echo $!; wait'
    const { data } = await runTool<{ backgroundTaskId?: string }>(
      BashTool,
      { command, run_in_background: true },
      context,
    )
    const id = data?.backgroundTaskId
    const pid = await vi.waitFor(async () => {
      const { text } = await runTool(BashOutputTool, { bash_id: id }, context)
      return Number(text.split('\n').find((line) => /^\d+$/.test(line)) ?? expect.fail(text))
    }, WAIT)
    expect(isAlive(pid)).toBe(true)
    expect((await runTool(KillShellTool, { shell_id: id }, context)).text).toBe(`${id} was ended.`)
    expect(isAlive(pid)).toBe(false)
    expect((await runTool(KillShellTool, { task_id: id }, context)).text).toBe(`${id} had ended before.`)
    expect((await runTool(BashOutputTool, { bash_id: id }, context)).text).toContain(`${id}: killed`)
    await context.commands.closeAll()
  })
})
