import * as z from 'zod'

const ledgerLimit = z
  .strictObject({
    usd: z.number().positive().finite().exactOptional().describe('US dollars'),
    tokens: z.int().positive().exactOptional().describe('Or tokens'),
    every: z.enum(['day', 'month']).exactOptional().describe('By UTC'),
    per: z.enum(['repository', 'workflow']).exactOptional().describe('For each'),
  })
  .refine(({ usd, tokens }) => (usd === undefined) !== (tokens === undefined), {
    error: 'a limit has either `usd` or `tokens`',
  })

/** `run.ledger`: budgets across runs. */
export const ledgerSchema = z
  .strictObject({
    folder: z.string().min(1).describe('Where runs write what they spend'),
    limits: z.array(ledgerLimit).describe('Each in `usd` or `tokens`'),
  })
  .exactPartial()
