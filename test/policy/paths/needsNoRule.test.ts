import { expect, it } from 'vitest'
import type { PathSource } from '../../../src/contracts/subject.ts'
import { evaluate } from '../../../src/policy/evaluate.ts'
import { bashCall, HOME, pathSubject, policyOf } from '../../helpers/policy/policyCalls.ts'
import { table } from '../../helpers/table.ts'

// Under a bare `Bash` and `Read(//srv/open/**)`, in a sandbox and without one. The view has nothing of the user's.
it.each(table`
  read src/a              | operand  | allow | allow
  write docs/a            | operand  | allow | allow
  write docs/a            | redirect | allow | allow
  read /usr/include/a.h   | operand  | allow | allow
  read /srv/open/a        | operand  | allow | allow
  read /dev/null          | operand  | allow | allow
  read /tmp/a             | operand  | allow | allow
  read ../outside/secret  | operand  | allow | ask
  read /etc/hostname      | operand  | allow | ask
  read ${HOME}/notes      | operand  | allow | ask
  write ../outside/new    | operand  | allow | ask
  write ${HOME}/notes     | operand  | allow | ask
  write ${HOME}/notes     | redirect | allow | ask
`)('a bare Bash and %s as %s', async (asked, source, boxed, unboxed) => {
  const policy = await policyOf({ allow: ['Bash', 'Read(//srv/open/**)'] })
  const [access, path = ''] = asked.split(' ')
  const call = bashCall('x', pathSubject(access as 'read' | 'write', path, source as PathSource))
  const verdicts = [false, true].map((isUnsandboxed) => evaluate({ ...policy, isUnsandboxed }, call).behavior)
  expect(verdicts).toEqual([boxed, unboxed])
})

it('does not treat neighbors of a checkout in a temporary folder as scratch', async () => {
  const policy = { ...(await policyOf({ allow: ['Bash'] }, { cwd: '/tmp/place/checkout' })), isUnsandboxed: true }
  const verdict = (path: string) => evaluate(policy, bashCall(pathSubject('read', path, 'operand'))).behavior
  expect(['/tmp/a', '/tmp/place/checkout/a', '/tmp/place/other/a'].map(verdict)).toEqual(['allow', 'allow', 'ask'])
})
