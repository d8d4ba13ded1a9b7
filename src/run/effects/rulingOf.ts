import { isAbsence, type PermissionMode } from '../../contracts/decision.ts'
import type { PathForms } from '../../contracts/subject.ts'
import type { Ruling } from '../../effects/judge/JudgeChanges.ts'
import type { Policy } from '../../policy/Policy.ts'
import { isInsideWorkingDirectories } from '../../policy/paths/isInsideWorkingDirectories.ts'
import { decidePath } from '../../policy/paths/judgePath.ts'

export type RulingPlace = {
  readonly policy: Policy
  readonly mode: PermissionMode
  readonly cwd: string
  readonly home: string
  readonly isAudit: boolean
}

/**
 * The ruling on a path that a command has changed: the same as for an edit by a tool. A mode that allows edits in the
 * project without a rule allows these too, and so does an audit. No link in the path is followed, because the command
 * may have just created it: the place of the change is what counts.
 */
export function rulingOf({ policy, mode, cwd, home, isAudit }: RulingPlace, path: string): Ruling {
  const forms: PathForms = { given: path, lexical: path, resolved: path, physical: path }
  const decision = decidePath({ policy, home, workingDirectories: [cwd] }, forms, 'write')
  const { behavior, reason } = decision
  if (reason.type === 'rule') return { behavior, rule: reason.rule }
  const isFree = isAudit || mode === 'acceptEdits' || mode === 'auto'
  if (!isFree || !isAbsence(decision)) return { behavior }
  const subject = { kind: 'path', access: 'write', path: forms, source: 'tool' } as const
  return { behavior: isInsideWorkingDirectories(policy, subject) ? 'allow' : behavior }
}
