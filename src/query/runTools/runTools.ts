import type { RunEvent, ToolOutcome } from '../../contracts/events.ts'
import type { ToolUseBlock } from '../../contracts/messages.ts'
import { mergeGenerators } from '../../lib/async/mergeGenerators.ts'
import { toCall } from '../../permissions.ts'
import { evaluate } from '../../policy/evaluate.ts'
import { parseInput } from './parseInput.ts'
import { runToolUse } from './runToolUse.ts'
import type { CallResult, ToolRunner } from './ToolRunner.ts'

export type { CallContext, CallResult, ToolRunner } from './ToolRunner.ts'

const MAX_AT_ONCE = 10

/** The calls of one message: those started while it still streamed, and the rest. */
export type ToolBatch = ReturnType<typeof runTools>

export function runTools(runner: ToolRunner) {
  const results = new Map<string, CallResult>()
  const started = new Map<string, ToolUseBlock>()
  const problems = new Map<string, string>()
  let isPrefixSafe = true
  async function* run(toolUse: ToolUseBlock): AsyncGenerator<RunEvent, void, undefined> {
    results.set(toolUse.id, yield* runToolUse(toolUse, runner, problems.get(toolUse.id)))
  }
  return {
    /**
     * Starts a call before its message is complete, if it and every call before it only reads, is safe to run in
     * parallel, and is allowed by rules alone. Undefined: it has to wait. A call with a `problem` never runs; the
     * problem is its result.
     */
    startEarly(toolUse: ToolUseBlock, problem?: string) {
      if (problem !== undefined) problems.set(toolUse.id, problem)
      isPrefixSafe &&= problem === undefined
      isPrefixSafe &&= started.size < MAX_AT_ONCE && isHarmless(toolUse, runner)
      if (!isPrefixSafe || started.has(toolUse.id)) return undefined
      started.set(toolUse.id, toolUse)
      return run(toolUse)
    },
    /** Runs all calls that did not start early. Results come in the order of the calls. */
    async *finish(toolUses: readonly ToolUseBlock[]): AsyncGenerator<RunEvent, readonly CallResult[], undefined> {
      for (const group of groups(
        toolUses.filter((toolUse) => !started.has(toolUse.id)),
        runner,
      )) {
        yield* mergeGenerators(...group.map(run))
      }
      return toolUses.flatMap((toolUse) => results.get(toolUse.id) ?? [])
    },
    early: (): readonly CallResult[] => [...results.values()],
    /** The same for the record of a broken message: running calls count as aborted. */
    earlyOutcomes: (): readonly ToolOutcome[] =>
      [...started.values()].map(
        ({ id, name }) =>
          results.get(id)?.outcome ?? { tool_use_id: id, tool_name: name, outcome: 'aborted', duration_ms: 0 },
      ),
  }
}

/** Groups of consecutive calls that are safe to run in parallel, at most ten; every other call is alone. */
function groups(toolUses: readonly ToolUseBlock[], runner: ToolRunner): ToolUseBlock[][] {
  const made: { readonly isSafe: boolean; readonly calls: ToolUseBlock[] }[] = []
  for (const toolUse of toolUses) {
    const isSafe = isConcurrencySafe(toolUse, runner)
    const last = made.at(-1)
    if (last?.isSafe && isSafe && last.calls.length < MAX_AT_ONCE) last.calls.push(toolUse)
    else made.push({ isSafe, calls: [toolUse] })
  }
  return made.map((group) => group.calls)
}

/** True for a known tool with a valid input that declares itself safe to run in parallel. */
function isConcurrencySafe(toolUse: ToolUseBlock, runner: ToolRunner): boolean {
  const known = look(toolUse, runner)
  return known?.tool.isConcurrencySafe(known.input, known.options.subjects) ?? false
}

/** True if the call does no harm even if its message then breaks off: it only reads, and rules alone allow it. */
function isHarmless(toolUse: ToolUseBlock, runner: ToolRunner): boolean {
  const known = look(toolUse, runner)
  if (known === undefined || runner.hooks?.has('PreToolUse')) return false
  const { tool, input, options } = known
  if (!tool.isConcurrencySafe(input, options.subjects) || !tool.isReadOnly(input, options.subjects)) return false
  return evaluate(options.policy, toCall(tool, input, options.subjects)).behavior === 'allow'
}

function look(toolUse: ToolUseBlock, runner: ToolRunner) {
  const tool = runner.find(toolUse.name)
  const parsed = tool === undefined ? undefined : parseInput(tool, toolUse.input)
  if (tool === undefined || parsed === undefined || !parsed.ok) return undefined
  return { tool, input: parsed.input, options: runner.permission(runner.signal) }
}
