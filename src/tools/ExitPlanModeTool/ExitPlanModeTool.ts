import * as z from 'zod'
import { buildTool, FREE_ON_DEMAND } from '../../Tool.ts'

/** Leaves plan mode if EnterPlanMode started it. Plan mode that the policy or a flag set stays for the whole run. */
export const ExitPlanModeTool = buildTool({
  name: 'ExitPlanMode',
  searchHint: 'leave plan mode and begin',
  ...FREE_ON_DEMAND,
  inputSchema: () => z.strictObject({ plan: z.string().optional().describe('the plan, in Markdown') }),
  outputSchema: () => z.object({ left: z.boolean(), why: z.string(), plan: z.string() }),
  description: () => 'Leaves plan mode with the plan that you will follow.',
  isReadOnly: () => true,
  activity: () => 'Leaving plan mode',
  async *call({ plan = '' }, { mode, startMode, setMode }) {
    const left = mode === 'plan' && startMode !== 'plan'
    if (left) setMode(startMode)
    const why = startMode === 'plan' ? SET_BY_POLICY : left ? 'Continue with the plan.' : 'You are not in plan mode.'
    yield { type: 'result', data: { left, why, plan } }
  },
  mapResult: ({ left, why }) => ({ content: why, ...(left ? {} : { isError: true }) }),
  renderResult: ({ plan }) => plan,
})

const SET_BY_POLICY = 'This run is in plan mode to its end. Call Finish with the plan as its summary.'
