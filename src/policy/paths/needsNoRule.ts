import { dirname } from 'node:path'
import type { PathForms } from '../../contracts/subject.ts'
import { isWithin } from '../../lib/fs/isWithin.ts'
import { formsOf } from '../matchers/path.ts'
import type { Policy } from '../Policy.ts'

const SCRATCH = ['/tmp', '/var/tmp', '/private/tmp']
const SYSTEM = ['/usr']

/**
 * True if nothing keeps commands away from files outside the checkout: the policy turns the sandbox off, or it did not
 * start.
 */
export function isUnsandboxed({ isUnsandboxed: isSo, settings }: Policy): boolean {
  return isSo ?? settings.sandbox.mode === 'off'
}

/**
 * True for a path that a command line may name without a rule. `bare` is for a line under a bare `Bash`, which may also
 * name paths in the home folder. Writing in the checkout needs no rule here, because the Edit rules judge all changes
 * after the command has run. Without the sandbox, the temporary folders are those of the machine, so a path beside a
 * checkout in one of them does not belong to the run.
 */
export function needsNoRule(policy: Policy, path: PathForms, use: 'read' | 'write' | 'bare'): boolean {
  const { cwd, home, settings } = policy
  const own = [...SCRATCH, cwd, ...settings.additionalDirectories]
  const places = { read: [...own, ...SYSTEM], write: own, bare: [...own, home] }[use]
  const beside = isUnsandboxed(policy) && !SCRATCH.includes(dirname(cwd)) ? dirname(cwd) : undefined
  const isOwn = (form: string, folder: string) =>
    isWithin(form, folder) && (beside === undefined || !SCRATCH.includes(folder) || !isWithin(form, beside))
  return formsOf(path).every((form) => places.some((folder) => isOwn(form, folder)))
}
