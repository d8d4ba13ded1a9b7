import { expect, it } from 'vitest'
import { asRunError, orFail, RunError } from '../../src/contracts/errors.ts'

it.each([
  ['EMFILE', 'Raise the limit on open files: ulimit -n 1024'],
  ['ENFILE', 'Raise the limit on open files: ulimit -n 1024'],
  ['ENOSPC', 'Make room where TMPDIR, the state folder and the checkout are'],
  ['EDQUOT', 'Make room where TMPDIR, the state folder and the checkout are'],
])('a limit of the machine is no defect: %s', (code, remedy) => {
  const error = asRunError(Object.assign(new Error(`${code}: open '/a'`), { code }))
  expect(error).toMatchObject({ reason: 'io_error', message: `${code}: open '/a'. ${remedy}` })
})

it.each([new Error('broken'), new RunError('usage', 'no'), 'text', null, undefined, { code: 'ENOENT' }])(
  'anything else stays as it is: %s',
  (error) => expect(asRunError(error)).toBe(error),
)

it('says what failed before the words of its cause', () => {
  const cause = new Error('the disk is full')
  const fail = () => {
    throw cause
  }
  expect(orFail('io_error', 'Nothing is kept', () => 7)).toBe(7)
  const failed = expect(() => orFail('io_error', 'Nothing is kept', fail))
  failed.toThrow(expect.objectContaining({ reason: 'io_error', message: 'Nothing is kept: the disk is full', cause }))
})
