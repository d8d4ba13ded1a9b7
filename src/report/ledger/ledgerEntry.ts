import * as z from 'zod'

const count = z.int().nonnegative()
const at = z.iso.datetime()

/** One line of a ledger file. A run writes `open` first, `ask` before each request, `answer` after it, `close` last. */
export const ledgerEntrySchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('open'),
    v: z.literal(1),
    at,
    /** The run has ended by then, whatever happened to it: its time limit. */
    until: at,
    run: z.string(),
    repository: z.string(),
    workflow: z.string(),
    /** What the run may spend at most. Null: not limited, so nothing is reserved. */
    reserved: z.object({ usd: z.number().nonnegative().nullable(), tokens: count.nullable() }),
    process: z.object({
      pid: z.number(),
      started: z.number().nullable(),
      boot: z.string().nullable(),
      host: z.string(),
      namespace: z.string().nullable(),
    }),
  }),
  z.object({ type: z.literal('ask'), at, n: count, model: z.string() }),
  z.object({
    type: z.literal('answer'),
    at,
    /** The request that it answers. */
    n: count,
    model: z.string(),
    /** Null for a model without a price. */
    usd: z.number().nonnegative().nullable(),
    tokens: count,
    /** True for an answer that broke off: the request goes on, and its usage is a lower bound. */
    partial: z.boolean(),
  }),
  z.object({ type: z.literal('close'), at }),
])

export type LedgerEntry = z.infer<typeof ledgerEntrySchema>
export type LedgerOpening = Extract<LedgerEntry, { type: 'open' }>
export type LedgerAnswer = Extract<LedgerEntry, { type: 'answer' }>
