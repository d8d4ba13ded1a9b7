import { isAbsolute, join } from 'node:path'
import type { Suggestion } from '../../contracts/suggestion.ts'
import type { Policy } from '../../policy/Policy.ts'
import { type NamedCall, suggestRules } from '../../policy/suggest/suggestRules.ts'
import { writeCall } from '../../policy/suggest/writeCall.ts'
import { callLabel } from '../../report/callLabel.ts'
import type { AskedCall } from '../../report/fold/askedCalls.ts'
import { toNamedCall } from './toNamedCall.ts'

/**
 * The rules that the policy needs to allow these calls and the changes of their commands. Invalid calls are left out.
 */
export function suggestPolicy(policy: Policy, asked: readonly AskedCall[]): Suggestion {
  const calls = new Map(asked.flatMap((call) => callsOf(policy, call)).map((named) => [named.name, named]))
  return suggestRules(policy, [...calls.values()])
}

/** The call itself, and one call for each path that it changed. */
function callsOf(policy: Policy, { tool, input, changed }: AskedCall): readonly NamedCall[] {
  const read = toNamedCall(policy, { tool, input })
  if ('problem' in read) return []
  const name = callLabel(tool, input)
  const changes = changed.map(({ path }) => {
    const place = isAbsolute(path) ? path : join(policy.cwd, path)
    return { name: `${name} changes ${path}`, call: writeCall(place) }
  })
  return [{ name, call: read.call }, ...changes]
}
