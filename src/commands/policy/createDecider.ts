import type { Decision, PermissionMode } from '../../contracts/decision.ts'
import type { Call, Subject } from '../../contracts/subject.ts'
import { hasPermissionsToUseTool } from '../../permissions.ts'
import { type ChangeablePaths, changeablePaths } from '../../policy/explain/briefPolicy.ts'
import type { Policy } from '../../policy/Policy.ts'
import { isInsideWorkingDirectories } from '../../policy/paths/judgeProtection.ts'
import { type MadeCall, policySubjects, toNamedCall } from '../../query/runTools/toNamedCall.ts'
import { findTool } from '../../Tool.ts'
import { assembleToolPool } from '../../tools.ts'

/** What a run without hooks would do with a call, and what the rules alone say. */
export type Outcome = Decision & {
  readonly decision: 'allow' | 'deny'
  /** What Bash would really execute. */
  readonly canonical?: string
  /** For a command: what it may change, by the Edit rules. */
  readonly mayChange?: ChangeablePaths
  /** Files that the command may write but no Edit rule covers: they are not kept, unless git ignores them. */
  readonly unruled?: readonly string[]
  /** Where the sandbox is optional: what holds without it, if that is another decision. */
  readonly unsandboxed?: Decision & Pick<Outcome, 'decision'>
  /** The tool does not exist or does not accept this input, so every policy denies the call. */
  readonly isImpossible?: true
}

/** Decides calls one by one without running them or starting anything. */
export function createDecider(policy: Policy, mode: PermissionMode): (call: MadeCall) => Promise<Outcome> {
  const subjects = policySubjects(policy)
  const pool = assembleToolPool({ policy })
  const isPlainEdit = (subject: Subject) => subject.kind === 'path' && isInsideWorkingDirectories(policy, subject)
  return async (made) => {
    const read = toNamedCall(policy, made)
    if ('problem' in read) return { ...refused(made.tool, read.problem), isImpossible: true }
    const { tool, input, call } = read
    const { decision, ruled, canonical } = await hasPermissionsToUseTool(
      { tool, input, hooked: { call, toolUseId: 'explain', parentToolUseId: null }, before: undefined },
      { policy, mode, subjects, isPlainEdit, signal: NEVER },
    )
    const isMissing = !tool.name.startsWith('mcp__') && findTool(pool, tool.name) === undefined
    if (isMissing && decision.behavior === 'allow')
      return refused(tool.name, `${tool.name} is not offered under this policy.`)
    const { reason, message, parts, suggestion } = decision
    const unruled = unruledWrites(call, decision)
    return {
      ...{ decision: decision.behavior, behavior: ruled.behavior, reason, message, parts },
      ...(suggestion && { suggestion }),
      ...(canonical === undefined ? {} : { canonical }),
      ...(call.subjects.some(({ kind }) => kind === 'command') ? { mayChange: changeablePaths(policy) } : {}),
      ...(unruled.length === 0 ? {} : { unruled }),
    }
  }
}

/** The targets of redirects and file commands that need no rule to be named. What is written there is judged later. */
function unruledWrites({ subjects }: Call, { parts }: Decision): readonly string[] {
  return subjects.flatMap((subject, at) => {
    const part = parts[at]
    const isUnruled = part?.behavior === 'allow' && part.reason.type === 'builtin'
    return isUnruled && subject.kind === 'path' && subject.access === 'write' ? [subject.path.resolved] : []
  })
}

const NEVER = new AbortController().signal

/** A call that no policy lets through. */
export function refused(tool: string, detail: string): Outcome {
  return { decision: 'deny', behavior: 'deny', reason: { type: 'tool', tool, detail }, message: detail, parts: [] }
}
