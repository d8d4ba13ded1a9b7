import type { PathForms } from '../contracts/subject.ts'
import { isWithin } from '../lib/isWithin.ts'
import { formsOf } from './matchers/path.ts'
import type { Policy } from './Policy.ts'

const SCRATCH = ['/tmp', '/var/tmp', '/private/tmp']
const SYSTEM = ['/usr']

/**
 * Where the words of a line may read or write without a rule; under a bare `Bash` in the home folder too (`bare`). What it
 * writes in the checkout is judged by the Edit rules when it has run, like all that it changes.
 */
export function isFreePlace(policy: Policy, path: PathForms, use: 'read' | 'write' | 'bare'): boolean {
  const { cwd, home, settings } = policy
  const own = [...SCRATCH, cwd, ...settings.additionalDirectories]
  const places = { read: [...own, ...SYSTEM], write: own, bare: [...own, home] }[use]
  return formsOf(path).every((form) => places.some((folder) => isWithin(form, folder)))
}
