import { isMap, isNode, isScalar, LineCounter, parseDocument } from 'yaml'
import * as z from 'zod'
import { messageOf, RunError } from '../../contracts/errors.ts'
import { nearest } from '../../lib/text/nearest.ts'

const tokens = z.int().nonnegative().exactOptional()

const turnSchema = z
  .strictObject({
    say: z.string().optional(),
    think: z.string().optional(),
    tool: z.string().optional(),
    input: z.record(z.string(), z.unknown()).optional(),
    tools: z
      .array(z.strictObject({ name: z.string(), input: z.record(z.string(), z.unknown()).default({}) }))
      .min(1)
      .optional(),
    stop: z.string().optional(),
    usage: z
      .strictObject({
        input_tokens: tokens,
        output_tokens: tokens,
        cache_creation_input_tokens: tokens,
        cache_read_input_tokens: tokens,
      })
      .optional(),
    for: z.string().min(1).optional(),
    expect: z.string().min(1).optional(),
    error: z.int().min(400).max(599).optional(),
    message: z.string().optional(),
    retryAfter: z.number().nonnegative().optional(),
    drop: z.enum(['start', 'mid', 'end']).optional(),
    stall: z.enum(['first_byte', 'idle', 'ping_only']).optional(),
    raw: z
      .strictObject({
        status: z.int().min(200).max(599).default(200),
        type: z.string().default('text/html'),
        body: z.string(),
      })
      .optional(),
  })
  .superRefine((turn, context) => {
    const fail = (key: string, message: string): void => context.addIssue({ code: 'custom', path: [key], message })
    const faults = FAULTS.filter((key) => turn[key] !== undefined)
    const content = CONTENT.filter((key) => turn[key] !== undefined)
    if (faults.length > 1) fail(faults[1] ?? '', `a turn has one of ${FAULTS.join(', ')}`)
    if (faults.length + content.length === 0) fail('', `a turn needs one of ${[...CONTENT, ...FAULTS].join(', ')}`)
    if ((turn.error ?? turn.raw) !== undefined && content.length > 0)
      fail(content[0] ?? '', 'does not go with an error or raw')
    if (turn.tool !== undefined && turn.tools !== undefined) fail('tools', 'does not go with tool')
    if (turn.input !== undefined && turn.tool === undefined) fail('input', 'needs tool')
    for (const key of ['message', 'retryAfter'] as const) {
      if (turn[key] !== undefined && turn.error === undefined) fail(key, 'needs error')
    }
  })

const CONTENT = ['say', 'think', 'tool', 'tools', 'stop'] as const
const FAULTS = ['error', 'drop', 'stall', 'raw'] as const

/**
 * One answer of a scripted model. `for` names a conversation by a part of its first user message; `expect` is a text that the
 * latest message must contain (the results of the tools before it).
 *
 * ```yaml
 * - say: I look at the test first.
 *   tool: Read
 *   input: { file_path: test/sum.test.js }
 * - { error: 529 }
 * - { drop: mid, say: this answer breaks off }
 * - expect: "1 failed"
 *   tools: [{ name: Bash, input: { command: npm test } }]
 * - { for: find the bug, say: the answer of a sub-agent }
 * - say: Done.
 * ```
 */
export type ScriptTurn = z.infer<typeof turnSchema> & { readonly place: string }

/** The turns of a script. All mistakes together are one `RunError`, each as `file:line:column`. */
export function parseReplayScript(text: string, file: string): ScriptTurn[] {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const placeAt = (offset: number): string => {
    const { line, col } = lines.linePos(offset)
    return `${file}:${line}:${col}`
  }
  if (document.errors.length > 0) {
    throw badScript(document.errors.map((error) => `${placeAt(error.pos[0])} ${error.message}`))
  }
  const result = z
    .array(turnSchema)
    .min(1, 'a script needs at least one turn')
    .safeParse(toValue(document, placeAt(0)))
  if (result.success)
    return result.data.map((turn, index) => ({ ...turn, place: placeAt(offsetOf(document, [index])) }))
  const problems = tellable(result.error.issues).map((issue) => {
    const offset = issue.code === 'unrecognized_keys' ? offsetOfKey(document, issue) : offsetOf(document, issue.path)
    return `${placeAt(offset)} ${wordsOf(issue, document)}`
  })
  throw badScript(problems)
}

/** The YAML library rejects aliases that expand without limit. */
function toValue(document: YamlDocument, place: string): unknown {
  try {
    return document.toJS()
  } catch (error) {
    throw badScript([`${place} ${messageOf(error)}`])
  }
}

type Issue = z.core.$ZodIssue
type UnknownKey = Extract<Issue, { code: 'unrecognized_keys' }>
type YamlDocument = ReturnType<typeof parseDocument>

/** A turn with a misspelled key gets no second message about missing content. */
function tellable(issues: readonly Issue[]): Issue[] {
  const misspelt = new Set(issues.filter((issue) => issue.code === 'unrecognized_keys').map((issue) => issue.path[0]))
  return issues.filter((issue) => !(issue.path[1] === '' && misspelt.has(issue.path[0])))
}

function wordsOf(issue: Issue, document: YamlDocument): string {
  if (issue.code === 'unrecognized_keys') {
    const guess = issue.path.length === 1 ? nearest(issue.keys[0] ?? '', Object.keys(turnSchema.shape)) : undefined
    return `unknown key ${issue.keys.join(', ')}${guess === undefined ? '' : ` (did you mean ${guess}?)`}`
  }
  const name = issue.path.at(-1)
  if (issue.code === 'invalid_type' && !document.hasIn(issue.path)) return `${String(name)} is missing`
  return typeof name === 'string' && name !== '' ? `${name}: ${issue.message}` : issue.message
}

function offsetOfKey(document: YamlDocument, issue: UnknownKey): number {
  const map: unknown = document.getIn(issue.path, true)
  const keys = isMap(map) ? map.items.map((item) => item.key) : []
  const key = keys.find((candidate) => isScalar(candidate) && candidate.value === issue.keys[0])
  return isScalar(key) && key.range ? key.range[0] : offsetOf(document, issue.path)
}

/** The position of the path's node, or of its nearest existing parent. */
function offsetOf(document: YamlDocument, path: readonly PropertyKey[]): number {
  for (let length = path.length; length > 0; length -= 1) {
    const node: unknown = document.getIn(path.slice(0, length), true)
    if (isNode(node) && node.range) return node.range[0]
  }
  return document.contents?.range?.[0] ?? 0
}

function badScript(problems: readonly string[]): RunError {
  return new RunError('bad_input', problems.join('\n'))
}
