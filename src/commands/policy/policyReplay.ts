import { isAbsolute, join } from 'node:path'
import type { PermissionMode } from '../../contracts/decision.ts'
import { RunError } from '../../contracts/errors.ts'
import type { ProcessIo } from '../../contracts/processIo.ts'
import { oneLine } from '../../lib/text/words.ts'
import { evaluate } from '../../policy/evaluate.ts'
import type { Policy } from '../../policy/Policy.ts'
import { writeCall } from '../../policy/paths/judgePath.ts'
import { describeReason } from '../../query/runTools/recordDecision.ts'
import { callLabel } from '../../report/callLabel.ts'
import type { AskedCall } from '../../report/fold/askedCalls.ts'
import { codeSpan } from '../../report/markdown/markdownText.ts'
import type { CommandLine } from '../runCommandLine.ts'
import { createDecider } from './createDecider.ts'
import { loadAskedCalls } from './loadAskedCalls.ts'
import { loadCommandPolicy } from './loadCommandPolicy.ts'

/** A call that the policy decides differently than the run did, or a change that it would treat differently. */
type Difference = {
  readonly call: string
  /** A path that the call changed; absent if the difference is about the call itself. */
  readonly path?: string
  readonly was: 'allowed' | 'denied'
  readonly is: 'allowed' | 'denied'
  readonly why: string
}

/**
 * `kode-run policy replay TRANSCRIPT… --policy NEW`: judges the calls and changes of old runs under NEW. Asks no model
 * and runs nothing. With `--expect-same` it exits with 1 if anything differs.
 */
export async function policyReplay(io: ProcessIo, line: CommandLine): Promise<number> {
  const { flags } = line
  if (flags['policy'] === undefined && flags['settings'] === undefined)
    throw new RunError('usage', 'policy replay needs --policy: the policy to judge by.')
  const policy = await loadCommandPolicy(io, flags)
  const mode = (flags['permission-mode'] as PermissionMode | undefined) ?? policy.settings.defaultMode
  const asked = await loadAskedCalls(io, line)
  const decide = createDecider(policy, mode)
  const differences = new Map<string, Difference>()
  for (const call of asked) {
    for (const found of await compare(policy, call, decide)) differences.set(JSON.stringify(found), found)
  }
  const found = [...differences.values()]
  io.print(
    flags['json'] === true
      ? `${JSON.stringify({ calls: asked.length, differences: found })}\n`
      : render(found, asked.length),
  )
  return found.length > 0 && flags['expect-same'] === true ? 1 : 0
}

async function compare(
  policy: Policy,
  asked: AskedCall,
  decide: ReturnType<typeof createDecider>,
): Promise<readonly Difference[]> {
  const { tool, input, words, changed } = asked
  const call = callLabel(tool, input)
  const outcome = await decide({ tool, input })
  const [was, is] = [wordOf(words !== 'denied'), wordOf(outcome.decision === 'allow')]
  const found: Difference[] = []
  if (was !== is && outcome.isImpossible !== true) {
    found.push({ call, was, is, why: describeReason(outcome) })
  }
  for (const { path, isKept } of is === 'denied' ? [] : changed) {
    const decision = evaluate(policy, writeCall(isAbsolute(path) ? path : join(policy.cwd, path)))
    const [was, is] = [wordOf(isKept), wordOf(decision.behavior === 'allow')]
    if (was !== is) found.push({ call, path, was, is, why: describeReason(decision) })
  }
  return found
}

function wordOf(isAllowed: boolean): Difference['was'] {
  return isAllowed ? 'allowed' : 'denied'
}

/** A table that fits in a comment on a pull request. */
function render(differences: readonly Difference[], calls: number): string {
  if (differences.length === 0) return `All ${calls} calls are decided as before.\n`
  const rows = differences.map(({ call, path, was, is, why }) => {
    const what = path === undefined ? '' : ` changes ${codeSpan(path)}`
    return `| ${codeSpan(oneLine(call, 200))}${what} | ${was} | **${is}** | ${codeSpan(oneLine(why, 200))} |\n`
  })
  return `Of ${calls} calls, these are decided differently:\n\n| Call | Was | Is | Why |\n|---|---|---|---|\n${rows.join('')}`
}
