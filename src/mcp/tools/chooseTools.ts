import { minimatch } from 'minimatch'
import * as z from 'zod'
import { faultsOf } from '../../lib/faultsOf.ts'
import { isObject } from '../../lib/isObject.ts'
import { shownName } from '../settings/checkSettings.ts'
import { hidesText } from './serverText.ts'

const TOOL = z.object({
  name: z.string().min(1),
  description: z.string().optional(),
  inputSchema: z.looseObject({ type: z.literal('object') }),
  annotations: z.object({ readOnlyHint: z.boolean().optional(), destructiveHint: z.boolean().optional() }).optional(),
  _meta: z.record(z.string(), z.unknown()).optional(),
})

export type ListedTool = z.infer<typeof TOOL>

/** A tool that may be offered, with its model-facing name. */
export type ChosenTool = { readonly shownName: string; readonly tool: ListedTool }

const MAX_SCHEMA_LENGTH = 100_000

/** The well-formed tools in a server's list; the others are reported to `warn`. */
export function parseTools(listed: readonly unknown[], warn: (message: string) => void): readonly ListedTool[] {
  return listed.flatMap((item) => {
    const parsed = TOOL.safeParse(item)
    if (parsed.success) return [parsed.data]
    const name = isObject(item) && 'name' in item ? JSON.stringify(item['name']) : 'without a name'
    warn(`the tool ${name} is left out: ${faultsOf(parsed.error)}`)
    return []
  })
}

/**
 * The tools to offer: those that match `patterns`, under a valid and unique name. A tool with an ambiguous name, or
 * hidden text in its schema, is left out and reported to `warn`. Pure.
 */
export function chooseTools(
  server: string,
  tools: readonly ListedTool[],
  patterns: readonly string[] | undefined,
  warn: (message: string) => void,
): readonly ChosenTool[] {
  for (const pattern of patterns ?? []) {
    if (!tools.some(({ name }) => fits(name, pattern))) warn(`no tool matches "${pattern}", which \`tools\` names`)
  }
  const wanted = tools.filter(({ name }) => fitsPatterns(name, patterns))
  const named = wanted.map((tool) => ({ shownName: `mcp__${shownName(server)}__${shownTool(tool.name)}`, tool }))
  return named.filter(({ shownName: shown, tool }) => {
    const problem =
      problemOf(shown, tool) ??
      (named.filter((one) => one.shownName === shown).length > 1 && `its name ${shown} is taken twice`)
    if (problem) warn(`the tool ${JSON.stringify(tool.name.slice(0, 100))} is left out: ${problem}`)
    return !problem
  })
}

/** True for a tool that `tools:` of an entry allows; without patterns, all are. */
export function fitsPatterns(name: string, patterns: readonly string[] | undefined): boolean {
  return patterns?.some((pattern) => fits(name, pattern)) ?? true
}

function fits(name: string, pattern: string): boolean {
  return minimatch(name, pattern, { dot: true, nonegate: true, nocomment: true, noext: true, nobrace: true })
}

/** Punctuation becomes `_`; letters that only look like ASCII stay, so that the name is rejected. */
function shownTool(name: string): string {
  return name.replace(/[\x20-\x7e]/g, (character) => (/[\w-]/.test(character) ? character : '_'))
}

function problemOf(shown: string, tool: ListedTool): string | undefined {
  if (!/^[A-Za-z0-9_-]*$/.test(shown)) return 'its name has characters beyond printable ASCII'
  if (shown.length > 64) return `its name ${shown.slice(0, 64)}… has ${shown.length} characters, the API takes 64`
  if (JSON.stringify(tool.inputSchema).length > MAX_SCHEMA_LENGTH) return 'its schema is longer than 100,000 characters'
  return hidesText(tool.inputSchema) ? 'its schema hides text in names or values' : undefined
}
