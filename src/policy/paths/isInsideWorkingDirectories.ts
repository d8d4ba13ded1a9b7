import type { Subject } from '../../contracts/subject.ts'
import { isWithin } from '../../lib/fs/isWithin.ts'
import type { Policy } from '../Policy.ts'

/** True if the path, in every form, is in the project or in one of `additionalDirectories`. */
export function isInsideWorkingDirectories(policy: Policy, subject: Extract<Subject, { kind: 'path' }>): boolean {
  const roots = [policy.cwd, ...policy.settings.additionalDirectories]
  const { lexical, resolved, physical, problem } = subject.path
  if (problem !== undefined) return false
  return [lexical, resolved, physical].every((path) => roots.some((root) => isWithin(path, root)))
}
