import { isAbsence, type PermissionMode } from '../contracts/decision.ts'
import type { Ruling } from '../effects/JudgeChanges.ts'
import { resolvePath } from '../files/resolvePath.ts'
import { isInsideWorkingDirectories } from '../policy/isInsideWorkingDirectories.ts'
import { decidePath } from '../policy/judgePath.ts'
import type { Policy } from '../policy/Policy.ts'

export type RulingPlace = {
  readonly policy: Policy
  readonly mode: PermissionMode
  readonly cwd: string
  readonly home: string
  readonly isAudit: boolean
}

/**
 * What is said of a path that a command has changed: what is said of the same edit by a tool. A mode that lets edits in
 * the project pass without a rule lets these pass too, and so does an audit.
 */
export function rulingOf({ policy, mode, cwd, home, isAudit }: RulingPlace, path: string): Ruling {
  const decision = decidePath({ policy, home, workingDirectories: [cwd] }, path, 'write')
  const { behavior, reason } = decision
  if (reason.type === 'rule') return { behavior, rule: reason.rule }
  const isFree = isAudit || mode === 'acceptEdits' || mode === 'auto'
  if (!isFree || !isAbsence(decision)) return { behavior }
  const subject = { kind: 'path', access: 'write', path: resolvePath(path, cwd, home), source: 'tool' } as const
  return { behavior: isInsideWorkingDirectories(policy, subject) ? 'allow' : behavior }
}
