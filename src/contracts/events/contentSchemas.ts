import * as z from 'zod'

export const textSchema = z.object({ type: z.literal('text'), text: z.string() })

export const imageSchema = z.object({
  type: z.literal('image'),
  source: z.object({ type: z.literal('base64'), media_type: z.string(), data: z.string() }),
})

export const documentSchema = z.object({
  type: z.literal('document'),
  source: z.object({ type: z.literal('base64'), media_type: z.literal('application/pdf'), data: z.string() }),
  title: z.string().exactOptional(),
})

export const contentBlockSchema = z.union([textSchema, imageSchema, documentSchema])
export const contentBlocksSchema = z.array(contentBlockSchema).readonly()
