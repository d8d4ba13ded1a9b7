import * as z from 'zod'
import { buildTool, FREE_ON_DEMAND } from '../../Tool.ts'

/** Enters plan mode, in which only read-only tools run. */
export const EnterPlanModeTool = buildTool({
  name: 'EnterPlanMode',
  searchHint: 'look and plan before changing anything',
  ...FREE_ON_DEMAND,
  inputSchema: () => z.strictObject({}),
  outputSchema: () => z.object({ wasPlan: z.boolean() }),
  description: () => 'Enters plan mode: only reading is possible until ExitPlanMode.',
  isReadOnly: () => true,
  activity: () => 'Entering plan mode',
  async *call(_input, context) {
    const wasPlan = context.mode === 'plan'
    if (!wasPlan) context.setMode('plan')
    yield { type: 'result', data: { wasPlan } }
  },
  mapResult: ({ wasPlan }) => ({
    content: wasPlan
      ? 'You are in plan mode already.'
      : 'Plan mode: look and think, then call ExitPlanMode with the plan.',
  }),
})
