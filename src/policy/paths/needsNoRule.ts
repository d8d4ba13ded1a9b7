import { dirname } from 'node:path'
import type { PathForms } from '../../contracts/subject.ts'
import { isWithin } from '../../lib/fs/isWithin.ts'
import { formsOf } from '../matchers/path.ts'
import type { Policy } from '../Policy.ts'

const SCRATCH = ['/tmp', '/var/tmp', '/private/tmp']
const SYSTEM = ['/usr']

/** True if nothing keeps commands from files outside the checkout: by policy, or on this machine. */
export function isUnboxed({ isUnboxed: isSo, settings }: Policy): boolean {
  return isSo ?? settings.sandbox.mode === 'off'
}

/**
 * Where the words of a line may read or write without a rule; under a bare `Bash` in the home folder too (`bare`). What it
 * writes in the checkout is judged by the Edit rules when it has run, like all that it changes. Without the sandbox the
 * temporary folders are those of the machine: what stands beside the checkout there is none of the run's.
 */
export function needsNoRule(policy: Policy, path: PathForms, use: 'read' | 'write' | 'bare'): boolean {
  const { cwd, home, settings } = policy
  const own = [...SCRATCH, cwd, ...settings.additionalDirectories]
  const places = { read: [...own, ...SYSTEM], write: own, bare: [...own, home] }[use]
  const beside = isUnboxed(policy) && !SCRATCH.includes(dirname(cwd)) ? dirname(cwd) : undefined
  const isOwn = (form: string, folder: string) =>
    isWithin(form, folder) && (beside === undefined || !SCRATCH.includes(folder) || !isWithin(form, beside))
  return formsOf(path).every((form) => places.some((folder) => isOwn(form, folder)))
}
