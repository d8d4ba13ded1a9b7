import { expect, it } from 'vitest'
import type { PathSource } from '../../../src/contracts/subject.ts'
import { evaluate } from '../../../src/policy/evaluate.ts'
import { bashCall, HOME, pathSubject, policyOf } from '../../helpers/policy/policyCalls.ts'

type Row = readonly [
  access: 'read' | 'write',
  path: string,
  source: PathSource,
  boxed: 'allow' | 'ask',
  unboxed: 'allow' | 'ask',
]

/** Under a bare `Bash` and `Read(//srv/open/**)`. */
const ROWS: readonly Row[] = [
  ['read', 'src/a', 'operand', 'allow', 'allow'],
  ['write', 'docs/a', 'operand', 'allow', 'allow'],
  ['write', 'docs/a', 'redirect', 'allow', 'allow'],
  ['read', '/usr/include/a.h', 'operand', 'allow', 'allow'],
  ['read', '/srv/open/a', 'operand', 'allow', 'allow'],
  ['read', '/dev/null', 'operand', 'allow', 'allow'],
  ['read', '/tmp/a', 'operand', 'allow', 'allow'],
  // The view has none of these; without it they are the user's own.
  ['read', '../outside/secret', 'operand', 'allow', 'ask'],
  ['read', '/etc/hostname', 'operand', 'allow', 'ask'],
  ['read', `${HOME}/notes`, 'operand', 'allow', 'ask'],
  ['write', '../outside/new', 'operand', 'allow', 'ask'],
  ['write', `${HOME}/notes`, 'operand', 'allow', 'ask'],
  ['write', `${HOME}/notes`, 'redirect', 'allow', 'ask'],
]

it.each(ROWS)('a bare Bash and %s of %s as %s', async (access, path, source, boxed, unboxed) => {
  const policy = await policyOf({ allow: ['Bash', 'Read(//srv/open/**)'] })
  const call = bashCall('x', pathSubject(access, path, source))
  const verdicts = [false, true].map((isUnsandboxed) => evaluate({ ...policy, isUnsandboxed }, call).behavior)
  expect(verdicts).toEqual([boxed, unboxed])
})

it('does not treat neighbors of a checkout in a temporary folder as scratch', async () => {
  const policy = { ...(await policyOf({ allow: ['Bash'] }, { cwd: '/tmp/place/checkout' })), isUnsandboxed: true }
  const verdict = (path: string) => evaluate(policy, bashCall(pathSubject('read', path, 'operand'))).behavior
  expect(['/tmp/a', '/tmp/place/checkout/a', '/tmp/place/other/a'].map(verdict)).toEqual(['allow', 'allow', 'ask'])
})
