import type { PathForms } from '../contracts/subject.ts'
import { isWithin } from '../lib/isWithin.ts'
import { formsOf } from './matchers/path.ts'
import type { Policy } from './Policy.ts'

const SCRATCH = ['/tmp', '/var/tmp', '/private/tmp']
const SYSTEM = ['/usr']

/**
 * Where a line may read (`read`) or write (`scratch`; under a bare `Bash`, `bare`) without a rule. What is written in the
 * checkout, the view judges by the same rules when the command has run.
 */
export function isFreePlace(policy: Policy, path: PathForms, use: 'read' | 'scratch' | 'bare'): boolean {
  const { cwd, home, settings } = policy
  const own = [cwd, ...settings.additionalDirectories]
  const places = { read: [...SCRATCH, ...SYSTEM, ...own], scratch: SCRATCH, bare: [...SCRATCH, ...own, home] }[use]
  // The checkout itself may lie below a scratch folder: there it is the checkout.
  const isOwn = use === 'scratch' && formsOf(path).some((form) => own.some((folder) => isWithin(form, folder)))
  return !isOwn && formsOf(path).every((form) => places.some((folder) => isWithin(form, folder)))
}
