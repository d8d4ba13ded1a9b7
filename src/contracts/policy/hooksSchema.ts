import * as z from 'zod'
import { HOOK_EVENTS, type HookEventName } from '../settings.ts'
import { text, textMap, texts } from './settingsSchemas.ts'

const hookCommon = {
  timeout: z
    .number()
    .positive()
    .finite()
    .exactOptional()
    .describe('Seconds until the hook counts as failed; 60 by default'),
  onError: z
    .enum(['deny', 'continue'])
    .exactOptional()
    .describe('`continue`: a failing hook only warns; otherwise it blocks'),
  if: text.exactOptional().describe('A permission rule; the hook runs only for calls that it matches'),
}
/** One hook. A `command` with `args` runs without a shell; an `async` one runs beside the run and decides nothing. */
export const hookSchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('command').describe('Runs a command; the event comes as JSON on stdin'),
    command: text.describe('A command line for the shell, or with `args` the program'),
    args: z.array(z.string()).exactOptional().describe('Arguments of the program; no shell runs then'),
    async: z.boolean().exactOptional().describe('True: runs beside the run, and decides nothing'),
    ...hookCommon,
  }),
  z.strictObject({
    type: z.literal('http').describe('Posts the event as JSON to an address'),
    url: text.describe('The address'),
    headers: textMap.exactOptional().describe('Headers; `$NAME` is filled in for the names in `allowedEnvVars`'),
    allowedEnvVars: texts.exactOptional().describe('Environment variables that `headers` may use'),
    ...hookCommon,
  }),
  z.strictObject({
    type: z.literal('prompt').describe('Asks a model about the event'),
    prompt: text.describe('The question; the event is added to it'),
    model: text.exactOptional().describe('The model that answers; `run.smallModel` by default'),
    ...hookCommon,
  }),
  z.strictObject({
    type: z.literal('agent').describe('Lets an agent that can only read files judge the event'),
    prompt: text.describe('The question; the event is added to it'),
    model: text.exactOptional().describe('The model of the agent; `run.smallModel` by default'),
    ...hookCommon,
  }),
  z.strictObject({
    type: z
      .literal('mcp_tool')
      .describe('Calls a tool of an MCP server; its text is read like the output of a command'),
    server: text.describe('The server, by its name in `mcpServers`'),
    tool: text.describe('The tool, by the name that the server gives it'),
    input: z
      .record(z.string(), z.unknown())
      .exactOptional()
      .describe('Its input; `${tool_input.file_path}` in a text is filled in from the event'),
    ...hookCommon,
  }),
])
const hookGroups = z.array(
  z.strictObject({
    matcher: z
      .string()
      .exactOptional()
      .describe('A tool name, a list `A|B` or a regular expression; empty: every tool but Finish'),
    hooks: z.array(hookSchema).describe('Hooks that run side by side'),
  }),
)
export const hooksSchema = z.strictObject(
  Object.fromEntries(
    HOOK_EVENTS.map((event) => [event, hookGroups.exactOptional().describe(`Hooks of the event ${event}`)]),
  ) as Record<HookEventName, z.ZodExactOptional<typeof hookGroups>>,
)
