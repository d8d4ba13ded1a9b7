import type { PermissionMode } from '../../contracts/decision.ts'
import { messageOf, RunError } from '../../contracts/errors.ts'
import type { ProcessIo } from '../../contracts/processIo.ts'
import { isObject } from '../../lib/isObject.ts'
import { orElse } from '../../lib/orElse.ts'
import { firstOf } from '../../lib/text/words.ts'
import type { ChangeablePaths } from '../../policy/explain/briefPolicy.ts'
import type { Policy } from '../../policy/Policy.ts'
import { writeCall } from '../../policy/paths/judgePath.ts'
import { suggestRules } from '../../policy/suggest/suggestRules.ts'
import { describeReason } from '../../query/runTools/recordDecision.ts'
import type { MadeCall } from '../../query/runTools/toNamedCall.ts'
import type { CommandLine } from '../runCommandLine.ts'
import { createDecider, type Outcome, refused } from './createDecider.ts'
import { loadCommandPolicy } from './loadCommandPolicy.ts'
import { parseCall } from './parseCall.ts'

const MAX_STDIN_BYTES = 100_000_000
/** More are counted; `--json` has all of them. */
const MAX_PATTERNS = 10

/** `kode-run policy explain`: decides calls without running them. Exits with 0 whatever the decision. */
export async function policyExplain(io: ProcessIo, { flags, positionals }: CommandLine): Promise<number> {
  checkArguments(flags, positionals)
  const policy = await loadCommandPolicy(io, flags)
  const mode = (flags['permission-mode'] as PermissionMode | undefined) ?? policy.settings.defaultMode
  const decide = createBothDecider(policy, mode)
  if (flags['batch'] === true) return explainBatch(io, decide)
  const call = readCall(flags['tool'] as string | undefined, flags['input'] as string | undefined, positionals[0])
  const outcome = await decide(call)
  io.print(
    flags['json'] === true ? `${JSON.stringify(outcome)}\n` : render(call, outcome, rulesToKeep(policy, outcome)),
  )
  return 0
}

/** Where the sandbox is optional, a call is also decided as where none starts, because less is allowed there. */
function createBothDecider(policy: Policy, mode: PermissionMode): (call: MadeCall) => Promise<Outcome> {
  const decide = createDecider(policy, mode)
  if (policy.settings.sandbox.mode !== 'auto') return decide
  const decideBare = createDecider({ ...policy, isUnsandboxed: true }, mode)
  return async (call) => {
    const outcome = await decide(call)
    const { decision, behavior, reason, message, parts } = await decideBare(call)
    if (decision === outcome.decision) return outcome
    return { ...outcome, unsandboxed: { decision, behavior, reason, message, parts } }
  }
}

/** Reads one call per line as JSON, and prints one decision per line, in order. A line that is not a call is denied. */
async function explainBatch(io: ProcessIo, decide: (call: MadeCall) => Promise<Outcome>): Promise<number> {
  const text = (await io.readStdin(MAX_STDIN_BYTES)) ?? ''
  for (const line of text.replace(/^\ufeff/, '').split('\n')) {
    if (line.trim() === '') continue
    const call = readLine(line)
    const outcome = typeof call === 'string' ? refused('', call) : await decide(call).catch(undecidable)
    io.print(`${JSON.stringify(outcome)}\n`)
  }
  return 0
}

function checkArguments(flags: CommandLine['flags'], positionals: readonly string[]): void {
  const ways = { 'a call': positionals[0], '--tool': flags['tool'], '--batch': flags['batch'] }
  const given = Object.entries(ways).flatMap(([name, value]) => (value === undefined || value === false ? [] : [name]))
  if (given.length > 1) throw new RunError('usage', `policy explain: ${given.join(' and ')} cannot be combined.`)
  if (flags['input'] !== undefined && flags['tool'] === undefined) throw new RunError('usage', '--input needs --tool.')
}

/** A call that exhausts the stack is denied, like any that cannot be judged. The lines after it are still decided. */
function undecidable(error: unknown): Outcome {
  if (!(error instanceof RangeError)) throw error
  return refused('', 'the input is nested too deeply')
}

function readLine(line: string): MadeCall | string {
  try {
    const value: unknown = JSON.parse(line)
    if (!isObject(value) || typeof value['tool'] !== 'string') return 'the line has no "tool"'
    if (!isObject(value['input'])) return 'the line has no "input" object'
    return { tool: value['tool'], input: value['input'] }
  } catch (error) {
    return `the line is not JSON: ${messageOf(error)}`
  }
}

function readCall(tool: string | undefined, input: string | undefined, call: string | undefined): MadeCall {
  if (tool === undefined) {
    if (call === undefined)
      throw new RunError('usage', "Give a call such as 'Bash(git push)', or --tool NAME --input JSON, or --batch.")
    return parseCall(call)
  }
  const value = orElse(undefined, (): unknown => JSON.parse(input ?? '{}'))
  if (!isObject(value)) throw new RunError('usage', '--input is not a JSON object.')
  return { tool, input: value }
}

function render(call: MadeCall, outcome: Outcome, toKeep: readonly string[]): string {
  const { decision, message, parts, unsandboxed } = outcome
  const lines = [
    `${verdict(decision)}  ${call.tool} ${JSON.stringify(call.input)}`,
    `  why: ${describeReason(outcome)}`,
    ...(unsandboxed === undefined
      ? []
      : [`  where no sandbox starts: ${verdict(unsandboxed.decision)}: ${describeReason(unsandboxed)}`]),
    ...parts.map(renderPart),
    ...(outcome.canonical === undefined ? [] : [`  runs: ${outcome.canonical}`]),
    ...(outcome.mayChange === undefined ? [] : [`  may change: ${changeWords(outcome.mayChange)}`]),
    ...renderRules('to allow it', outcome.suggestion ?? []),
    ...renderRules('to keep its changes of files that git does not ignore', toKeep),
    ...(message === '' ? [] : [`  message to the agent: ${message}`]),
  ]
  return `${lines.map((line) => line.replaceAll('\n', '\n    ')).join('\n')}\n`
}

function verdict(decision: Outcome['decision']): string {
  return decision === 'allow' ? 'ALLOWED' : 'DENIED'
}

function renderRules(purpose: string, rules: readonly string[]): readonly string[] {
  if (rules.length === 0) return []
  return [`  ${purpose}, add under permissions.allow:`, ...rules.map((rule) => `    - ${JSON.stringify(rule)}`)]
}

/** The Edit rules that a command needs besides, so that what it writes is kept. None if it cannot be allowed. */
function rulesToKeep(policy: Policy, { decision, suggestion, unruled = [] }: Outcome): readonly string[] {
  if (decision !== 'allow' && suggestion === undefined) return []
  const { rules } = suggestRules(
    policy,
    unruled.map((path) => ({ name: path, call: writeCall(path) })),
  )
  return rules.map(({ rule }) => rule)
}

/** One part with its reason. A part that cannot be analyzed is described by its reason, which is then shown once. */
function renderPart(part: Outcome['parts'][number]): string {
  const reason = describeReason({ ...part, message: '', parts: [] })
  const text = reason === part.subject ? reason : `${part.subject}: ${reason}`
  return `  ${{ allow: '+', ask: '?', deny: '-' }[part.behavior]} ${text}`
}

/** What a command may change, as its changes are judged when it ends. */
function changeWords({ allowed, denied }: ChangeablePaths): string {
  const shown = (patterns: readonly string[]) => firstOf(patterns, MAX_PATTERNS, (left) => `${left} more patterns`)
  const what = [...shown(allowed), 'files that git ignores'].join(', ')
  return denied.length === 0 ? what : `${what}; not ${shown(denied).join(', ')}`
}
