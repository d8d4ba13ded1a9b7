// @ts-check
// A tool of your own in one file. `run.mjs` offers it to a run.
import { buildTool, lazySchema } from 'kode-run'
import * as z from 'zod'

const FILE = 'CHANGELOG.md'

const inputSchema = lazySchema(() =>
  z.strictObject({
    kind: z.enum(['Added', 'Changed', 'Fixed']),
    text: z.string().min(1).max(200).describe('one sentence for users'),
  }),
)
const outputSchema = lazySchema(() => z.object({ line: z.string() }))

/** Adds a line at the top of the change log. */
export const changelogTool = buildTool({
  name: 'Changelog',
  inputSchema,
  outputSchema,
  description: () => `Adds one line at the top of ${FILE}.`,
  // What the call touches. It writes a file, so the rule `Edit(/CHANGELOG.md)` decides, as it does for Edit and Write.
  subjects: (_input, context) => [{ kind: 'path', access: 'write', path: context.resolvePath(FILE), source: 'tool' }],
  validateInput: ({ text }) =>
    /\n/.test(text) ? { result: false, message: 'text must be one line', errorCode: 1 } : { result: true },
  activity: ({ kind, text }) => `${kind}: ${text}`,
  getPath: () => FILE,
  async *call({ kind, text }, context) {
    // `context.files` opens nothing that the policy denies, follows no link, and writes a file as a whole.
    const path = context.resolvePath(FILE).resolved
    const isThere = (await context.files.stat(path)) !== undefined
    const before = isThere ? new TextDecoder().decode((await context.files.read(path)).bytes) : ''
    const line = `- ${kind}: ${text}`
    await context.files.write(path, new TextEncoder().encode(`${line}\n${before}`))
    yield { type: 'result', data: { line } }
  },
  mapResult: ({ line }) => ({ content: `Added to ${FILE}: ${line}` }),
})
