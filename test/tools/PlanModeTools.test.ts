import { describe, expect, it } from 'vitest'
import type { PermissionMode } from '../../src/contracts/decision.ts'
import { ExitPlanModeTool } from '../../src/tools/ExitPlanModeTool/ExitPlanModeTool.ts'
import { createToolContext, runTool } from '../helpers/tools/toolContext.ts'

function createContext(startMode: PermissionMode, mode: PermissionMode) {
  const modes: PermissionMode[] = []
  return { context: createToolContext({ startMode, mode, setMode: (next) => modes.push(next) }), modes }
}

describe('plan mode', () => {
  it('is never left if the policy set it', async () => {
    const { context, modes } = createContext('plan', 'plan')
    const { text, isError } = await runTool(ExitPlanModeTool, { plan: '1. Do it.' }, context)
    expect(modes).toEqual([])
    expect(text).toContain('in plan mode to its end')
    expect(isError).toBe(true)
  })
})
