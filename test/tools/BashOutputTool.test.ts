import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { ToolInput } from '../../src/Tool.ts'
import { BashOutputTool } from '../../src/tools/BashOutputTool/BashOutputTool.ts'
import { BashTool } from '../../src/tools/BashTool/BashTool.ts'
import { KillShellTool } from '../../src/tools/KillShellTool/KillShellTool.ts'
import { isAlive } from '../helpers/runs/isAlive.ts'
import { createTestCommands, createToolContext, runTool } from '../helpers/tools/toolContext.ts'

/** The command says its first words within milliseconds, but not on a busy machine. */
const WAIT = { timeout: 10_000 }

/** A context, the id of a command that it runs in the background, and what it says when it is asked. */
async function start(command: string) {
  const commands = createTestCommands({})
  onTestFinished(() => commands.closeAll())
  const context = createToolContext({ commands })
  const { data } = await runTool(BashTool, { command, run_in_background: true }, context)
  const id = data?.backgroundTaskId
  const ask = async (input: ToolInput = {}) => (await runTool(BashOutputTool, { bash_id: id, ...input }, context)).text
  const kill = async (input: ToolInput) => (await runTool(KillShellTool, input, context)).text
  return { context, id, ask, kill }
}

describe('a background command', () => {
  it('returns its output in pieces, and its end', async () => {
    const { context, id, ask } = await start(
      'echo first; read -r line < <(until [ -e go ]; do sleep 0.05; done; echo go); echo last >&2; exit 3',
    )
    const first = await vi.waitFor(async () => {
      const text = await ask()
      expect(text).toContain('first')
      return text
    }, WAIT)
    expect(first).toContain(`${id}: running`)
    context.put({ go: '' })
    expect(await ask({ bash_id: undefined, task_id: id, block: true })).toBe(`${id}: exited, exit code 3\nlast`)
    expect(await ask()).toBe(`${id}: exited, exit code 3\n(nothing new)`)
  })

  it('is ended with what it started', async () => {
    const { id, ask, kill } = await start('sleep 300 & echo $!; wait')
    const pid = await vi.waitFor(async () => {
      const text = await ask()
      return Number(text.split('\n').find((line) => /^\d+$/.test(line)) ?? expect.fail(text))
    }, WAIT)
    expect(isAlive(pid)).toBe(true)
    expect(await kill({ shell_id: id })).toBe(`${id} was ended.`)
    expect(isAlive(pid)).toBe(false)
    expect(await kill({ task_id: id })).toBe(`${id} had ended before.`)
    expect(await ask()).toContain(`${id}: killed`)
  })
})
