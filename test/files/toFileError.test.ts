import { expect, it } from 'vitest'
import { FileError } from '../../src/contracts/files.ts'
import { hasCode, toFileError } from '../../src/files/toFileError.ts'

const systemError = (code?: string) => Object.assign(new Error('from the system'), code === undefined ? {} : { code })

it.each([
  ['ENOENT', 'not_found', 'does not exist'],
  ['ENOTDIR', 'not_found', 'is not a folder, or lies below a file'],
  ['EISDIR', 'not_regular', 'is a folder, not a file'],
  ['ELOOP', 'changed', 'is reached by a link that was not there when the call was judged'],
  ['ENXIO', 'not_regular', 'is not a regular file'],
  ['EACCES', 'io', 'cannot be opened: permission denied'],
  ['EPERM', 'io', 'cannot be changed: operation not permitted'],
  ['EROFS', 'io', 'cannot be written: the file system is read-only'],
  ['ENOSPC', 'io', 'was not written: no space left on the device'],
  ['EDQUOT', 'io', 'was not written: disk quota exceeded'],
  ['EFBIG', 'io', 'was not written: too large for the file system'],
  ['EMFILE', 'io', 'cannot be opened: too many open files'],
  ['ENAMETOOLONG', 'io', 'has a name that is too long'],
  ['EWEIRD', 'io', 'failed: EWEIRD'],
  [undefined, 'io', 'failed: unknown error'],
])('%s is %s: %s', (code, kind, text) => {
  const cause = systemError(code)
  expect(toFileError(cause, '/a\u202eb')).toMatchObject({ code: kind, cause })
  expect(toFileError(cause, '/a').message).toBe(`/a ${text}`)
  expect(toFileError(cause, '/a\u202eb').message).not.toContain('\u202e')
})

it('keeps an error that is meant for the model', () => {
  const given = new FileError('changed', 'as it is')
  expect(toFileError(given, '/a')).toBe(given)
})

it.each([
  [systemError('EPERM'), true],
  [systemError('EINVAL'), true],
  [systemError('ENOENT'), false],
  [systemError(), false],
  [{ code: 'EPERM' }, false],
  [undefined, false],
])('%s has one of the codes: %s', (error, expected) => {
  expect(hasCode(error, 'EPERM', 'EINVAL')).toBe(expected)
})
