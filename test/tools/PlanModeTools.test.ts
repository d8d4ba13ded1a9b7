import { expect, it } from 'vitest'
import type { PermissionMode } from '../../src/contracts/decision.ts'
import { ExitPlanModeTool } from '../../src/tools/ExitPlanModeTool/ExitPlanModeTool.ts'
import { createToolContext, runTool } from '../helpers/tools/toolContext.ts'

it('plan mode is never left if the policy set it', async () => {
  const modes: PermissionMode[] = []
  const context = createToolContext({ startMode: 'plan', mode: 'plan', setMode: (next) => modes.push(next) })
  const { text, isError } = await runTool(ExitPlanModeTool, { plan: '1. Do it.' }, context)
  expect([modes, isError, text]).toEqual([[], true, expect.stringContaining('in plan mode to its end')])
})
