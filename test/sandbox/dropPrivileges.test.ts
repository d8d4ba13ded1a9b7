import { expect, test } from 'vitest'
import { dropPrivileges } from '../../src/sandbox/dropPrivileges.ts'
import { makeFolder } from '../helpers/makeFolder.ts'

const path = process.env['PATH'] ?? ''

test.skipIf(dropPrivileges(path) === undefined)(
  'a command is started by setpriv, by its absolute path (needs setpriv)',
  async () => {
    const { file, args, ended } = dropPrivileges(path)?.({ file: 'bash', args: ['-c', 'true'] }) ?? {}
    expect(file).toMatch(/^\/.*setpriv$/)
    expect(args).toEqual(['--no-new-privs', '--', 'bash', '-c', 'true'])
    await ended?.()
  },
)

test('without setpriv the command is unchanged', () => {
  expect(dropPrivileges(makeFolder())).toBeUndefined()
})
