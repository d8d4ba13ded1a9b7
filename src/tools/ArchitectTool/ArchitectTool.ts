import * as z from 'zod'
import { buildTool, ONLY_READS } from '../../Tool.ts'

/** Asks the main model for a plan, outside the conversation. Reads and changes nothing. */
export const ArchitectTool = buildTool({
  name: 'Architect',
  searchHint: 'plan a change',
  shouldDefer: true,
  isOptIn: true,
  inputSchema: () =>
    z.strictObject({
      prompt: z.string().min(1).describe('the change to plan'),
      context: z.string().optional().describe('what is known: files, constraints'),
    }),
  outputSchema: () => z.object({ plan: z.string() }),
  description: () => 'Plans a change in steps, from what you tell it. It does not look at files.',
  ...ONLY_READS,
  activity: ({ prompt }) => `Planning: ${prompt.slice(0, 80)}`,
  async *call({ prompt, context: background }, context) {
    const plan = await context.askModel({
      purpose: 'architect',
      model: 'main',
      system: PLANNER,
      prompt: background === undefined ? prompt : `<context>\n${background}\n</context>\n\n${prompt}`,
    })
    yield { type: 'result', data: { plan } }
  },
  mapResult: ({ plan }) => ({ content: plan }),
})

const PLANNER = `You plan changes to software. Give numbered steps that an engineer can follow: which file, what changes, how
it is checked. Name the risks and what you assume. No code beyond a line, no questions.`
