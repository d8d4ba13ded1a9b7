import { isAbsolute, join } from 'node:path'
import * as z from 'zod'
import type { Suggestion } from '../../contracts/events.ts'
import type { Call } from '../../contracts/subject.ts'
import { resolvePath } from '../../files/resolvePath.ts'
import { toCall } from '../../permissions.ts'
import type { Policy } from '../../policy/Policy.ts'
import { writeCall } from '../../policy/paths/judgePath.ts'
import { type NamedCall, suggestRules } from '../../policy/suggest/suggestRules.ts'
import { callLabel } from '../../report/callLabel.ts'
import type { AskedCall } from '../../report/fold/askedCalls.ts'
import { buildTool, findTool, lazySchema, type SubjectContext, type Tool, type ToolInput } from '../../Tool.ts'
import { getAllBaseTools } from '../../tools.ts'
import { parseInput } from './parseInput.ts'

export type MadeCall = { readonly tool: string; readonly input: Readonly<Record<string, unknown>> }

export type ReadCall = { readonly tool: Tool; readonly input: ToolInput; readonly call: Call }

/** Resolves paths and `~` under the policy, without a run. */
export function policySubjects({ cwd, home }: Policy): SubjectContext {
  return { cwd, home, resolvePath: (path, at) => resolvePath(path, at ?? cwd, home) }
}

/**
 * A call by the name of its tool, outside a run; a server's tool is judged by its name only. `problem` if there is no
 * such tool, or if the input is invalid.
 */
export function toNamedCall(policy: Policy, { tool: name, input }: MadeCall): ReadCall | { readonly problem: string } {
  const mcp = mcpCall(name, input)
  if (mcp !== undefined) return mcp
  const tool = findTool(getAllBaseTools(), name)
  if (tool === undefined) return { problem: `There is no tool ${JSON.stringify(name)}.` }
  const parsed = parseInput(tool, input)
  if (!parsed.ok) return { problem: parsed.message }
  return { tool, input: parsed.input, call: toCall(tool, parsed.input, policySubjects(policy)) }
}

/** A call of a server that is not running. The server's name ends at the first `__`, and has no spaces. */
function mcpCall(name: string, input: MadeCall['input']): ReadCall | undefined {
  const [, server, tool] = /^mcp__((?:(?!__)[!-~])+)__([!-~]+)$/.exec(name) ?? []
  if (server === undefined || tool === undefined) return undefined
  const subject = { kind: 'mcp', server, tool } as const
  const call: Call = { tool: name, aliases: [], input, subjects: [subject], isFree: false, isReadOnly: false }
  return { tool: mcpStandIn(name), input, call }
}

function mcpStandIn(name: string): Tool {
  return buildTool({
    name,
    inputSchema: lazySchema(() => z.record(z.string(), z.unknown())),
    description: () => '',
    // biome-ignore lint/correctness/useYield: it is never called
    async *call() {
      throw new Error('only its name is known')
    },
    mapResult: () => ({ content: '' }),
  })
}

/** The rules that would allow these calls and the changes of their commands. Invalid calls are left out. */
export function suggestPolicy(policy: Policy, asked: readonly AskedCall[]): Suggestion {
  const calls = new Map(asked.flatMap((call) => callsOf(policy, call)).map((named) => [named.name, named]))
  return suggestRules(policy, [...calls.values()])
}

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
