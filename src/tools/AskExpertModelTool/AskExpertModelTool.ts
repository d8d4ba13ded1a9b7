import * as z from 'zod'
import { buildTool, ONLY_READS } from '../../Tool.ts'

/** Asks another model. It sees the question and the context given here, nothing of the run. */
export const AskExpertModelTool = buildTool({
  name: 'AskExpertModel',
  searchHint: 'second opinion from another model',
  shouldDefer: true,
  isOptIn: true,
  inputSchema: () =>
    z.strictObject({
      question: z.string().min(1).describe('what to ask'),
      context: z.string().optional().describe('all that the other model needs to know: code, errors, what was tried'),
      expert_model: z.string().optional().describe('a model id; default: the configured expert'),
    }),
  outputSchema: () => z.object({ model: z.string(), answer: z.string() }),
  description: () => 'Asks another model; it sees only the question and context that you give.',
  ...ONLY_READS,
  activity: ({ question }) => `Asking an expert: ${question.slice(0, 80)}`,
  async *call({ question, context: background, expert_model: model = 'expert' }, context) {
    const answer = await context.askModel({
      purpose: 'ask_expert_model',
      model,
      system: 'A coding agent asks for your judgment. Answer precisely and briefly; say what you are unsure of.',
      prompt: background === undefined ? question : `<context>\n${background}\n</context>\n\n${question}`,
    })
    yield { type: 'result', data: { model, answer } }
  },
  mapResult: ({ answer }) => ({ content: answer }),
})
