import * as z from 'zod'
import type { TextDiff } from './diffTexts.ts'

const hunk = z.object({
  oldStart: z.number(),
  oldLines: z.number(),
  newStart: z.number(),
  newLines: z.number(),
  lines: z.array(z.string()).readonly(),
})

/** The shape of a `TextChange`: what tools that change a file promise of their output. */
export const textChangeSchema = z.object({
  filePath: z.string(),
  originalFile: z.string().nullable(),
  structuredPatch: z.array(hunk).readonly(),
  diff: z.custom<TextDiff>((value) => typeof value === 'object' && value !== null && 'added' in value),
  wasStale: z.boolean(),
})
