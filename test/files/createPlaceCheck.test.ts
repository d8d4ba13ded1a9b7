import { expect, it } from 'vitest'
import { FileError } from '../../src/contracts/files.ts'
import { createPlaceCheck, type FilePlaces } from '../../src/files/createPlaceCheck.ts'

const PLACES: FilePlaces = {
  ...{ roots: ['/srv/src'], forbidden: ['/srv/src/records'], readOnly: ['/srv/src/policies', '/srv/src/policy.yml'] },
  ...{ extraReadable: ['/srv/src/records/blobs'] },
  verdict(path, access) {
    if (path.endsWith(access === 'read' ? '.pem' : '.lock')) return 'deny'
    return path.startsWith(access === 'read' ? '/srv/docs/' : '/srv/out/') ? 'allow' : undefined
  },
}

function check(path: string, access: 'read' | 'write', places = PLACES): string {
  try {
    createPlaceCheck(places)(path, access)
    return 'allowed'
  } catch (error) {
    if (error instanceof FileError) return `${error.code}: ${error.message}`
    throw error
  }
}

it.each([
  ['a file of the project', '/srv/src/a', 'allowed', 'allowed'],
  ['the project itself', '/srv/src', 'allowed', 'allowed'],
  ['a neighbor whose name begins like the project', '/srv/src2/a', 'outside', 'outside'],
  ['what lies above', '/srv', 'outside', 'outside'],
  ['a policy file', '/srv/src/policy.yml', 'allowed', 'protected'],
  ['a policy folder', '/srv/src/policies', 'allowed', 'protected'],
  ['a file below a policy folder', '/srv/src/policies/deep/a.yml', 'allowed', 'protected'],
  ['a file whose name begins like a policy', '/srv/src/policy.yml2', 'allowed', 'allowed'],
  ['a record', '/srv/src/records/log', 'protected', 'protected'],
  ['a body', '/srv/src/records/blobs/b', 'allowed', 'protected'],
  ['what no rule may read', '/srv/src/key.pem', 'protected', 'allowed'],
  ['what no rule may write', '/srv/src/a.lock', 'allowed', 'protected'],
  ['what a rule lets read outside', '/srv/docs/a', 'allowed', 'outside'],
  ['what a rule lets write outside', '/srv/out/a', 'outside', 'allowed'],
  ['what is denied outside too', '/srv/docs/key.pem', 'outside', 'outside'],
  ['an interface of the kernel', '/proc/self/environ', 'protected', 'protected'],
  ['a device', '/dev/sda', 'protected', 'protected'],
  ['a setting of the kernel', '/sys/power/state', 'protected', 'protected'],
])('%s', (_, path, read, write) => {
  expect([check(path, 'read'), check(path, 'write')].map((said) => said.split(':')[0])).toEqual([read, write])
})

it('takes no path that is not resolved', () => {
  for (const path of ['a', './a', '/srv/src/../a', '/srv/src//a', '/srv/src/', '/srv/src/a\0b', ''])
    expect(check(path, 'read')).toBe(`outside: ${JSON.stringify(path)} is not a resolved absolute path`)
  expect(check('/', 'read', { roots: ['/'], forbidden: [] })).toBe('allowed')
})

it('says why', () => {
  expect(check('/proc/1/mem', 'read')).toBe('protected: /proc/1/mem is not a file on disk; it is never opened')
  expect(check('/srv/src/records/log', 'read')).toBe('protected: /srv/src/records/log belongs to the run itself')
  expect(check('/srv/src/policy.yml', 'write')).toBe(
    "protected: /srv/src/policy.yml belongs to the run's policy and cannot be changed",
  )
  expect(check('/etc/hosts', 'read')).toBe('outside: /etc/hosts is outside the working directories')
  expect(check('/srv/src/key.pem', 'read')).toBe('protected: /srv/src/key.pem is denied by the policy')
})

it('needs only the roots and what is forbidden', () => {
  const places = { roots: ['/srv/src'], forbidden: [] }
  expect(check('/srv/src/key.pem', 'write', places)).toBe('allowed')
  expect(check('/srv/docs/a', 'read', places)).toMatch(/^outside/)
})
