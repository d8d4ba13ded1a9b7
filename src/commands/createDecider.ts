import * as z from 'zod'
import type { Decision, PermissionMode } from '../contracts/decision.ts'
import type { Call } from '../contracts/subject.ts'
import { resolvePath } from '../files/resolvePath.ts'
import { hasPermissionsToUseTool, toCall } from '../permissions.ts'
import { type ChangeablePaths, changeablePaths } from '../policy/changeablePaths.ts'
import { isInsideWorkingDirectories } from '../policy/isInsideWorkingDirectories.ts'
import type { Policy } from '../policy/Policy.ts'
import { parseInput } from '../runTools/parseInput.ts'
import { buildTool, findTool, lazySchema, type SubjectContext, type Tool } from '../Tool.ts'
import { assembleToolPool, getAllBaseTools } from '../tools.ts'

/** A call by name, as a model would make it. */
export type NamedCall = { readonly tool: string; readonly input: Readonly<Record<string, unknown>> }

/** What a run without hooks would do with a call, and what the rules alone say. */
export type Outcome = {
  readonly decision: 'allow' | 'deny'
  readonly behavior: Decision['behavior']
  readonly reason: Decision['reason']
  readonly message: string
  readonly parts: Decision['parts']
  /** What Bash would really execute. */
  readonly canonical?: string
  /** For a command: what it may change, by the Edit rules. */
  readonly mayChange?: ChangeablePaths
  /** There is no such tool, or it takes no such input: denied whatever the policy says. */
  readonly isImpossible?: true
}

/** Decides calls one by one without running them or starting anything. */
export function createDecider(policy: Policy, mode: PermissionMode): (call: NamedCall) => Promise<Outcome> {
  const subjects: SubjectContext = {
    cwd: policy.cwd,
    home: policy.home,
    resolvePath: (path, cwd) => resolvePath(path, cwd ?? policy.cwd, policy.home),
  }
  const pool = assembleToolPool({ policy })
  const decide = async (tool: Tool, input: NamedCall['input'], call: Call): Promise<Outcome> => {
    const permission = await hasPermissionsToUseTool(
      { tool, input, hooked: { call, toolUseId: 'explain', parentToolUseId: null }, before: undefined },
      {
        policy,
        mode,
        subjects,
        isPlainEdit: (subject) => subject.kind === 'path' && isInsideWorkingDirectories(policy, subject),
        signal: NEVER,
      },
    )
    const { decision, ruled, canonical } = permission
    return {
      decision: decision.behavior,
      behavior: ruled.behavior,
      reason: decision.reason,
      message: decision.message,
      parts: decision.parts,
      ...(canonical === undefined ? {} : { canonical }),
      ...(call.subjects.some(({ kind }) => kind === 'command') ? { mayChange: changeablePaths(policy) } : {}),
    }
  }
  return async ({ tool: name, input }) => {
    const mcp = /^mcp__/.test(name) ? mcpCall(name, input) : undefined
    if (mcp !== undefined) return decide(mcp.tool, input, mcp.call)
    const tool = findTool(getAllBaseTools(), name)
    if (tool === undefined) return { ...refused(name, `There is no tool ${JSON.stringify(name)}.`), isImpossible: true }
    const parsed = parseInput(tool, input)
    if (!parsed.ok) return { ...refused(tool.name, parsed.message), isImpossible: true }
    const outcome = await decide(tool, parsed.input, toCall(tool, parsed.input, subjects))
    return findTool(pool, tool.name) === undefined && outcome.decision === 'allow'
      ? refused(tool.name, `${tool.name} is not offered under this policy.`)
      : outcome
  }
}

const NEVER = new AbortController().signal

function refused(tool: string, detail: string): Outcome {
  return { decision: 'deny', behavior: 'deny', reason: { type: 'tool', tool, detail }, message: detail, parts: [] }
}

/** A call of a server that is not started: judged by its name alone, the server's name ends at the first `__`. No blanks. */
function mcpCall(name: string, input: NamedCall['input']): { readonly tool: Tool; readonly call: Call } | undefined {
  const [, server, tool] = /^mcp__((?:(?!__)[!-~])+)__([!-~]+)$/.exec(name) ?? []
  if (server === undefined || tool === undefined) return undefined
  const subject = { kind: 'mcp', server, tool } as const
  const call: Call = { tool: name, aliases: [], input, subjects: [subject], isFree: false, isReadOnly: false }
  return { tool: mcpStandIn(name), call }
}

/** A tool of which only the name is known. */
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
