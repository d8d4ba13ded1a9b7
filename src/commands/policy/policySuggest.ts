import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { RunError } from '../../contracts/errors.ts'
import type { Suggestion } from '../../contracts/events.ts'
import type { ProcessIo } from '../../contracts/processIo.ts'
import { oneLine } from '../../lib/text/words.ts'
import type { Policy } from '../../policy/Policy.ts'
import { addRules } from '../../policy/suggest/addRules.ts'
import { suggestPolicy } from '../../query/runTools/toNamedCall.ts'
import { callLabel } from '../../report/callLabel.ts'
import type { AskedCall } from '../../report/fold/askedCalls.ts'
import { originOf, suggestionYaml } from '../../report/suggestionYaml.ts'
import type { CommandLine } from '../runCommandLine.ts'
import { loadAskedCalls } from './loadAskedCalls.ts'
import { loadCommandPolicy } from './loadCommandPolicy.ts'

/**
 * `kode-run policy suggest TRANSCRIPT…`: suggests rules for what these runs did or asked for, beyond what the policy
 * allows. `--apply` adds them to its file. Calls without a suggestion are listed with the reason.
 */
export async function policySuggest(io: ProcessIo, line: CommandLine): Promise<number> {
  const { flags } = line
  const file = flags['policy'] as string | undefined
  const isApplied = flags['apply'] === true
  if (isApplied && file === undefined) throw new RunError('usage', '--apply needs --policy: the file to change.')
  const policy = await loadCommandPolicy(io, flags)
  const asked = await loadAskedCalls(io, line)
  const suggestion = file === undefined ? suggestFromRuns(policy, asked) : suggestPolicy(policy, asked)
  if (isApplied && file !== undefined) apply(resolve(io.cwd, file), suggestion)
  io.print(flags['json'] === true ? `${JSON.stringify(suggestion)}\n` : render(suggestion, file, isApplied))
  return 0
}

/** What a run's own policy denied by a rule is not suggested, although the first policy does not have that rule. */
function suggestFromRuns(policy: Policy, asked: readonly AskedCall[]): Suggestion {
  const suggestion = suggestPolicy(
    policy,
    asked.filter(({ deniedBy }) => deniedBy === undefined),
  )
  const denied = asked.flatMap(({ tool, input, deniedBy }) =>
    deniedBy === undefined ? [] : [{ call: callLabel(tool, input), why: `the run's policy denied it by ${deniedBy}` }],
  )
  return { ...suggestion, refused: [...suggestion.refused, ...denied] }
}

function apply(file: string, { rules }: Suggestion): void {
  const text = readFileSync(file, 'utf8')
  const edited = addRules(
    text,
    rules.map((each) => ({ rule: each.rule, comment: originOf(each) })),
  )
  if (edited !== text) writeFileSync(file, edited)
}

/** A whole policy, or what the named one lacks. Both can be pasted. */
function render({ rules, refused }: Suggestion, file: string | undefined, isApplied: boolean): string {
  const head = file === undefined ? 'version: 1\npermissions:\n  presets: [read-only]\n' : ''
  const title = isApplied && rules.length > 0 ? `# Added to ${file}:\n` : ''
  const body =
    rules.length === 0 ? `# Nothing is missing in ${file ?? 'the preset read-only'}.\n` : suggestionYaml(rules)
  const closed = refused.map(
    ({ call, why }) => `# No rule suggested for ${oneLine(call, 200)}: ${oneLine(why, 300)}.\n`,
  )
  return `${title}${head}${head === '' ? body : body.replace('permissions:\n', '')}${closed.join('')}`
}
