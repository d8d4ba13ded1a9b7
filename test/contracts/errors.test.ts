import { expect, it } from 'vitest'
import { asRunError, orFail, RunError } from '../../src/contracts/errors.ts'

it.each(['EMFILE', 'ENFILE'])('a limit of the machine is no defect: %s', (code) => {
  const error = asRunError(Object.assign(new Error(`${code}: too many open files, open '/a'`), { code }))
  expect(error).toMatchObject({
    reason: 'io_error',
    message: expect.stringMatching(/open '\/a'\. Raise the limit.*ulimit -n/),
  })
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
