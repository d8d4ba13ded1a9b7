import * as z from 'zod'
import { semanticBoolean } from '../../Tool/semanticValues.ts'
import { buildTool, FREE_ON_DEMAND } from '../../Tool.ts'

/** Answers come only from `run.answers` of the policy or from a PreToolUse hook's `updatedInput.answers`. */
export const AskUserQuestionTool = buildTool({
  name: 'AskUserQuestion',
  searchHint: 'answers prepared for this run',
  ...FREE_ON_DEMAND,
  inputSchema: () =>
    z.strictObject({
      questions: z
        .array(
          z.strictObject({
            question: z.string().min(1).describe('the whole question'),
            header: z.string().optional().describe('its subject in a word or two'),
            options: z
              .array(
                z.strictObject({
                  label: z.string().describe('a short answer'),
                  description: z.string().optional().describe('what the answer means'),
                }),
              )
              .optional()
              .describe('the answers to choose from'),
            multiSelect: semanticBoolean(z.boolean())
              .optional()
              .describe('several answers may be chosen; default: false'),
          }),
        )
        .min(1)
        .max(10)
        .describe('what to ask'),
      answers: z.record(z.string(), z.string()).optional().describe('filled in by a hook; leave it out'),
    }),
  outputSchema: () =>
    z.object({ answers: z.array(z.object({ question: z.string(), answer: z.string().nullable() })).readonly() }),
  description: () => 'Looks for an answer among those prepared for this run. Nobody is there to answer anything else.',
  isReadOnly: () => true,
  activity: ({ questions }) => `Asking: ${questions[0]?.question ?? ''}`,
  async *call({ questions, answers = {} }, context) {
    const known = new Map(Object.entries({ ...answers, ...context.answers }).map(([key, text]) => [fold(key), text]))
    const found = questions.map(({ question, header }) => ({
      question,
      answer: known.get(fold(question)) ?? known.get(fold(header ?? question)) ?? known.get('*') ?? null,
    }))
    yield { type: 'result', data: { answers: found } }
  },
  mapResult: ({ answers }) => ({
    content: answers
      .map(
        ({ question, answer }) =>
          `${question}\n→ ${answer ?? 'No answer: nobody is there. Decide yourself, and say in Finish what you decided.'}`,
      )
      .join('\n'),
  }),
})

function fold(text: string): string {
  return text
    .toLowerCase()
    .replace(/[\s?.!:]+/g, ' ')
    .trim()
}
