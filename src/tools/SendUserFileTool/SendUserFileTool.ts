import { basename } from 'node:path'
import * as z from 'zod'
import { unusedPath } from '../../lib/fs/paths.ts'
import { redactBytes } from '../../lib/secrets/redact.ts'
import { buildTool, pathSubject, type ToolUseContext } from '../../Tool.ts'

const MAX_BYTES = 50_000_000

type SentFile = { readonly from: string; readonly to: string; readonly bytes: number }

/** Copies files into the run's artifact folder. Redacts text files, and refuses binary files that contain a secret. */
export const SendUserFileTool = buildTool({
  name: 'SendUserFile',
  searchHint: 'hand a file to the user, as an artifact',
  shouldDefer: true,
  interruptBehavior: 'block',
  inputSchema: () =>
    z.strictObject({
      files: z.array(z.string().min(1)).min(1).max(20).describe('paths'),
      caption: z.string().optional().describe('what the files are'),
    }),
  outputSchema: () => z.array(z.object({ from: z.string(), to: z.string(), bytes: z.number() })).readonly(),
  description: () => 'Hands files to the user: copies them into the folder of artifacts.',
  subjects: ({ files }, context) => [
    { kind: 'name', tool: 'SendUserFile' },
    ...files.flatMap((path) => pathSubject(path, 'read', context)),
  ],
  activity: ({ files }) => `Handing over ${files.join(', ')}`,
  async *call({ files }, context) {
    const sent: SentFile[] = []
    for (const path of files) sent.push(await send(path, context))
    yield { type: 'result', data: sent }
  },
  mapResult: (sent) => ({
    content: sent.map(({ from, to, bytes }) => `${from}: ${bytes} bytes handed over as ${basename(to)}`).join('\n'),
  }),
})

async function send(from: string, context: ToolUseContext): Promise<SentFile> {
  const { bytes, size } = await context.files.read(context.resolvePath(from).resolved, { maxBytes: MAX_BYTES })
  if (size > bytes.length) throw new Error(`${from} has ${size} bytes; at most ${MAX_BYTES} can be handed over.`)
  const { bytes: content, isText, isChanged } = redactBytes(bytes, context.redact)
  if (isChanged && !isText)
    throw new Error(`${from} holds a secret in the middle of binary data; it is not handed over.`)
  const { artifacts, artifactFiles, resolvePath } = context
  const isThere = async (path: string) => (await artifactFiles.stat(path)) !== undefined
  const to = await unusedPath(resolvePath(artifacts).resolved, basename(from), isThere)
  await artifactFiles.write(to, content)
  return { from, to, bytes: content.length }
}
