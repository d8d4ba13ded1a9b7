import * as z from 'zod'
import { contentBlocksSchema } from '../../contracts/events/contentSchemas.ts'

const filePath = z.string()

/** What Read gives for each kind of file. */
export const readOutputSchema = () =>
  z.discriminatedUnion('type', [
    z.object({
      type: z.literal('text'),
      filePath,
      content: z.string(),
      startLine: z.number(),
      numLines: z.number(),
      /** Null where the end was not reached. */
      totalLines: z.number().nullable(),
    }),
    z.object({ type: z.literal('notebook'), filePath, content: contentBlocksSchema }),
    z.object({
      type: z.literal('image'),
      filePath,
      mediaType: z.string(),
      base64: z.string(),
      width: z.number(),
      height: z.number(),
    }),
    z.object({
      type: z.literal('pdf'),
      filePath,
      base64: z.string(),
      pages: z.number().nullable(),
      wanted: z.string().exactOptional(),
      isCut: z.boolean().exactOptional(),
    }),
  ])

export type ReadOutput = z.infer<ReturnType<typeof readOutputSchema>>
export type OutputOf<Type extends ReadOutput['type']> = Readonly<Extract<ReadOutput, { type: Type }>>
