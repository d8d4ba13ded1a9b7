import * as z from 'zod'
import { buildTool, FREE_ON_DEMAND, ONLY_READS } from '../../Tool.ts'

/** Keeps a thought in the record; changes nothing. */
export const ThinkTool = buildTool({
  name: 'Think',
  searchHint: 'write down a thought',
  ...FREE_ON_DEMAND,
  inputSchema: () => z.strictObject({ thought: z.string().min(1).describe('what to write down') }),
  outputSchema: () => z.object({ thought: z.string() }),
  description: () => 'Writes down a thought for people who read the record. Does nothing else.',
  ...ONLY_READS,
  activity: () => 'Thinking',
  async *call({ thought }) {
    yield { type: 'result', data: { thought } }
  },
  mapResult: () => ({ content: 'Noted.' }),
  renderResult: ({ thought }) => thought,
})
