import * as z from 'zod'
import { buildTool } from '../../Tool.ts'

/** The agent's final report. An output that does not match its schema is returned as an error to fix. */
export const FinishTool = buildTool({
  name: 'Finish',
  alwaysLoad: true,
  isFree: true,
  inputSchema: () =>
    z.strictObject({
      status: z.enum(['completed', 'blocked', 'failed']).describe('how the task ended'),
      summary: z
        .string()
        .min(1)
        .describe('for people, in Markdown: what you changed and why, how you checked it, what is open'),
      output: z.unknown().optional().describe('the structured output, if one is asked for'),
    }),
  outputSchema: () =>
    z.object({
      report: z.object({
        status: z.enum(['completed', 'blocked', 'failed']),
        summary: z.string(),
        output: z.unknown().optional(),
      }),
      problem: z.string().nullable(),
    }),
  description: () =>
    'Ends the run. completed: the task is done; blocked: something that was not allowed kept you from it; failed: it cannot be done.',
  isReadOnly: () => true,
  activity: ({ status }) => `Finishing: ${status}`,
  async *call({ status, summary, output }, context) {
    const report = { status, summary, ...(output === undefined ? {} : { output }) }
    yield { type: 'result', data: { report, problem: context.finish(report) } }
  },
  mapResult: ({ problem }) =>
    problem === null ? { content: 'Finished.' } : { content: `Not finished yet: ${problem}`, isError: true },
  renderResult: ({ report }) => report.summary,
})
