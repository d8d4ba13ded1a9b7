import { describe, expect, it } from 'vitest'
import type { PermissionMode } from '../../src/contracts/decision.ts'
import { EnterPlanModeTool } from '../../src/tools/EnterPlanModeTool/EnterPlanModeTool.ts'
import { ExitPlanModeTool } from '../../src/tools/ExitPlanModeTool/ExitPlanModeTool.ts'
import { createToolContext, runTool } from '../helpers/tools/toolContext.ts'

function createContext(startMode: PermissionMode, mode: PermissionMode) {
  const modes: PermissionMode[] = []
  return { context: createToolContext({ startMode, mode, setMode: (next) => modes.push(next) }), modes }
}

describe('plan mode', () => {
  it('is entered once', async () => {
    const { context, modes } = createContext('acceptEdits', 'acceptEdits')
    await runTool(EnterPlanModeTool, {}, context)
    await runTool(EnterPlanModeTool, {}, { ...context, mode: 'plan' })
    expect(modes).toEqual(['plan'])
  })

  it('returns to the mode at the start of the run', async () => {
    const { context, modes } = createContext('acceptEdits', 'plan')
    const { isError } = await runTool(ExitPlanModeTool, { plan: '1. Do it.' }, context)
    expect(modes).toEqual(['acceptEdits'])
    expect(isError).toBe(false)
  })

  it('is never left if the policy set it', async () => {
    const { context, modes } = createContext('plan', 'plan')
    const { text, isError } = await runTool(ExitPlanModeTool, { plan: '1. Do it.' }, context)
    expect(modes).toEqual([])
    expect(text).toContain('in plan mode to its end')
    expect(isError).toBe(true)
  })

  it('is not left if it was not entered', async () => {
    const { context, modes } = createContext('default', 'default')
    expect((await runTool(ExitPlanModeTool, {}, context)).text).toBe('You are not in plan mode.')
    expect(modes).toEqual([])
  })
})
