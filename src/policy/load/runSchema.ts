import * as z from 'zod'
import { EFFORTS, PROVIDERS } from '../../contracts/model.ts'
import { count, ledgerLimitSchema, money, text, textMap, texts } from '../../contracts/policy/settingsSchemas.ts'
import { parseDuration } from '../../lib/text/duration.ts'

/** A bare number would not say whether it means seconds or minutes. */
const aDuration = { error: 'expected a duration such as 90s, 30m or 2h' }
const duration = z
  .string(aDuration)
  .refine((value) => !/^\s*\d+\s*$/.test(value) && (parseDuration(value) ?? 0) > 0, aDuration)

/** `run.ledger`: budgets across runs. */
const ledgerSchema = z
  .strictObject({
    folder: z.string().min(1).describe('Where runs write what they spend'),
    limits: z.array(ledgerLimitSchema).describe('Each in `usd` or `tokens`'),
  })
  .exactPartial()

/** `run:` of a policy, key by key. */
export const runSchema = z
  .strictObject({
    provider: z.enum(PROVIDERS).describe('Who answers: the API or a gateway (`anthropic`), or a cloud'),
    baseUrl: z
      .url({ protocol: /^https?$/, error: 'expected an http or https address' })
      .describe('The address of a gateway, or of a private endpoint of the cloud'),
    modelIds: z
      .strictObject({
        opus: text.describe('The id for `opus`'),
        sonnet: text.describe('The id for `sonnet`, and for a run that names no model'),
        haiku: text.describe('The id for `haiku`'),
      })
      .exactPartial()
      .describe('The ids that `opus`, `sonnet` and `haiku` stand for'),
    apiKeyHelper: text.describe('A command line that prints the API key; it can name nothing in the checkout'),
    apiKeyHelperTtl: duration.describe('How long its key is used; `5m` by default'),
    model: text.describe('The model of the agent'),
    smallModel: text.describe('The model for small jobs: prompt hooks, web pages, `auto` mode'),
    expertModel: text.describe('The model for AskExpertModel and for sub-agents with `model: expert`'),
    fallbackModel: z.union([text, texts]).describe('Models to continue with when the API stays overloaded'),
    maxTurns: count.describe('Maximum number of model answers; 50 by default'),
    maxBudgetUsd: money.describe('Maximum cost in US dollars; 5 by default'),
    maxToolCalls: count.describe('Maximum number of tool calls; 500 by default'),
    maxDenials: count.describe('The run ends after this many denied calls; 20 by default'),
    maxTokensTotal: count.describe('Maximum number of tokens, in and out'),
    ledger: ledgerSchema.describe('Budgets across runs'),
    maxTokens: count.describe('Maximum output tokens of one answer; 32000 by default'),
    thinking: z
      .union([z.enum(['off', 'adaptive']), z.int().min(1024)], {
        error: 'expected `off`, `adaptive` or a budget of at least 1024 tokens',
      })
      .describe('A number is a thinking budget, for models before Claude 4.6'),
    effort: z.enum(EFFORTS).describe('Effort per answer, for Claude Opus 4.5 and models from Claude 4.6 on'),
    toolReferences: z.boolean().describe('Send loaded tools as references, which keeps the cache'),
    strictTools: z.boolean().describe('Let the API make calls match the schemas of tools'),
    contextWindow: count.describe('Maximum tokens of the conversation, which is compacted near it; 200000 by default'),
    timeout: duration.describe('Maximum time of the whole run, such as `30m` (the default)'),
    maxRetryWait: duration.describe('The longest `retry-after` to wait for; `2m` by default'),
    requireFinish: z.boolean().describe('True: only a call of Finish completes the run'),
    failOnDenied: z.boolean().describe('True: the run exits with 3 if any call was denied'),
    outputFormat: z.enum(['text', 'json', 'stream-json']).describe('What stdout carries; `text` by default'),
    systemPrompt: z.string().describe('Replaces the system prompt'),
    appendSystemPrompt: z.string().describe('Added to the system prompt'),
    params: textMap.describe('Values for `${{ params.NAME }}` in the prompt; `--param` beats them'),
    searchEndpoint: z
      .url({ protocol: /^https?$/, error: 'expected an http or https address' })
      .describe('Your search service for WebSearch: answers `GET <address>?q=…` with JSON'),
    answers: textMap.describe('Prepared answers for AskUserQuestion, by question'),
    maxResultCharacters: z
      .int()
      .min(1000)
      .describe('Longer tool results are cut to path, head and tail; 30000 by default'),
    bashTimeout: duration.describe('Time limit of a command that sets none; `2m` by default'),
    bashMaxTimeout: duration.describe('The longest time limit that a command may ask for; `10m` by default'),
    backgroundWait: duration.describe(
      'How long an agent that is done waits for its background commands; `5m` by default',
    ),
  })
  .exactPartial()
