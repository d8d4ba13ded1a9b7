import * as z from 'zod'
import { type ProposedOutput, proposedOutputSchema } from '../../lib/proposedOutput.ts'
import { buildTool } from '../../Tool.ts'

/** Proposes an effect outside the checkout. The run only writes it down; `kode-run apply` decides and applies it. */
export const ProposeOutputTool = buildTool({
  name: 'ProposeOutput',
  searchHint: 'comment, review comment, label, open an issue or a pull request',
  isFree: true,
  inputSchema: () => z.strictObject({ output: proposedOutputSchema.describe('one output of one kind') }),
  outputSchema: () => proposedOutputSchema,
  isAvailable: ({ hasOutputs }) => hasOutputs,
  description: () =>
    'Proposes a comment, a review comment on a line, labels, an issue, a pull request or a patch. A later step checks it and does it; you cannot do it yourself.',
  prompt: () => 'A pull request or patch is all that the run has changed at its end: propose it once.',
  isReadOnly: () => true,
  activity: ({ output }) => `Proposing: ${summaryOf(output)}`,
  async *call({ output }, context) {
    const problem = context.proposeOutput(output)
    if (problem !== undefined) throw new Error(`Not proposed: ${problem}.`)
    context.notify({ type: 'system', subtype: 'output_proposed', kind: output.kind, summary: summaryOf(output) })
    yield { type: 'result', data: output }
  },
  mapResult: ({ kind }) => ({ content: `Proposed: ${kind}.` }),
  renderResult: (output) => summaryOf(output),
})

function summaryOf(output: ProposedOutput): string {
  const target = 'number' in output && output.number !== undefined ? ` on #${output.number}` : ''
  if (output.kind === 'label') return `label ${output.labels.join(', ')}${target}`
  if (output.kind === 'comment') return `comment${target}: ${output.body.slice(0, 200)}`
  if (output.kind === 'review_comment')
    return `comment at ${output.path}:${output.line}${target}: ${output.body.slice(0, 200)}`
  return `${output.kind.replace('_', ' ')}: ${output.title}`
}
