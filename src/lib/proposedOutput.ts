import { createHash } from 'node:crypto'
import * as z from 'zod'
import { parseJson } from './text/json.ts'

const title = z.string().min(1).max(250)
const body = z.string().min(1).max(60_000)
const labels = z.array(z.string().min(1).max(50)).min(1).max(20)
const number = z.number().int().positive().optional().describe('default: the one that triggered the run')

/** What an agent may propose, kind by kind. `pull_request` and `patch` stand for what the run changed in the checkout. */
export const proposedOutputSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('comment'), body, number }),
  z.strictObject({
    kind: z.literal('review_comment'),
    path: z.string().min(1).max(1000).describe('from the top of the repository'),
    line: z.number().int().positive().describe('in the new version'),
    body,
    number,
  }),
  z.strictObject({ kind: z.literal('label'), labels, number }),
  z.strictObject({ kind: z.literal('issue'), title, body }),
  z.strictObject({ kind: z.literal('pull_request'), title, body }),
  z.strictObject({ kind: z.literal('patch'), title }),
])

export type ProposedOutput = z.infer<typeof proposedOutputSchema>
export type OutputKind = ProposedOutput['kind']

/** What the run changed, and the commit it started from; the last line of a file with a pull request or patch. */
const diffSchema = z.strictObject({
  v: z.literal(1),
  kind: z.literal('diff'),
  base: z.string().regex(/^[0-9a-f]{40,64}$/),
  patch: z.string(),
})

export type OutputDiff = z.infer<typeof diffSchema>

/** A file of proposed outputs, checked line by line. */
export type OutputFile = Readonly<ReturnType<typeof parseOutputs>>

/** The line of one output. `parseOutputs` derives its id from its content, to know what was already applied. */
export function outputLine(output: ProposedOutput): string {
  return `${JSON.stringify({ v: 1, output })}\n`
}

export function diffLine(base: string, patch: string): string {
  return `${JSON.stringify({ v: 1, kind: 'diff', base, patch } satisfies OutputDiff)}\n`
}

const lineSchema = z.strictObject({ v: z.literal(1), output: proposedOutputSchema })

/** The outputs of a file. Throws for the first line that is not one, by its number. */
export function parseOutputs(text: string) {
  const outputs: (ProposedOutput & { readonly id: string })[] = []
  let diff: OutputDiff | undefined
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    if (diff !== undefined) throw new Error(`line ${index + 1}: nothing may follow the diff`)
    const parsed = z.union([lineSchema, diffSchema]).safeParse(parseJson(line))
    if (!parsed.success) throw new Error(`line ${index + 1} is not an output: ${z.prettifyError(parsed.error)}`)
    if ('output' in parsed.data) outputs.push({ ...parsed.data.output, id: outputId(parsed.data.output) })
    else diff = parsed.data
  }
  return { outputs, diff }
}

function outputId(output: ProposedOutput): string {
  const fields = Object.entries(output).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256').update(JSON.stringify(fields)).digest('hex').slice(0, 16)
}
