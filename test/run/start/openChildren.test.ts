import { existsSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import {
  createConfirm,
  createOpener,
  dropPrivileges,
  recordsMs,
  removeLeftovers,
} from '../../../src/run/start/openChildren.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'
import { PROJECT, policyOf } from '../../helpers/policy/policyCalls.ts'

it('what a killed run left is removed, but nothing that another run may be writing', () => {
  const [old = '', young = '', gone = ''] = ['old', 'young', 'gone'].map((name) => join(makeFolder(), name))
  for (const path of [old, young]) writeFileSync(path, '')
  utimesSync(old, new Date(), Date.now() / 1000 - 61)
  utimesSync(young, new Date(), Date.now() / 1000 - 30)
  removeLeftovers([gone, old, young])
  expect([existsSync(old), existsSync(young)]).toEqual([false, true])
})

it.each([
  [['Edit(src/**)'], []],
  [['Edit(**)'], []],
  [['Edit(.github/**)'], ['.github/']],
  [['Edit(.husky/pre-commit)', 'Edit(src/**)'], ['.husky/pre-commit']],
])('%j opens of the protected places: %j', async (allow, expected) => {
  const isOpened = createOpener({ policy: await policyOf({ allow }), config: { cwd: PROJECT } as never })
  const places = ['.git/hooks/', '.github/', '.github/workflows/ci.yml', '.husky/', '.husky/pre-commit']
  expect(places.filter((place) => isOpened(`${PROJECT}/${place}`))).toEqual(expected)
})

it('a sandbox that starts nothing any more is told once it is known, with what went wrong', () => {
  const lost: string[] = []
  const confirm = createConfirm({ confirm: (problem) => problem }, (why) => lost.push(why))
  for (const problem of [undefined, 'no view']) confirm(problem)
  createConfirm({}, (why) => lost.push(why))('nobody listens')
  expect(lost).toEqual(['no view'])
})

const path = process.env['PATH'] ?? ''

it.skipIf(dropPrivileges(path) === undefined)(
  'a command is started by setpriv, by its absolute path (needs setpriv)',
  async () => {
    const { file, args, ended } = dropPrivileges(path)?.({ file: 'bash', args: ['-c', 'true'] }) ?? {}
    expect(file).toMatch(/^\/.*setpriv$/)
    expect(args).toEqual(['--no-new-privs', '--', 'bash', '-c', 'true'])
    await ended?.()
  },
)

it('without setpriv the command is unchanged', () => {
  expect(dropPrivileges(makeFolder())).toBeUndefined()
})

it.each([
  ['three seconds of the usual ones', 1_800_000, 3_000],
  ['a quarter of a short one', 4_000, 1_000],
])('of a run’s time its records get %s', (_what, timeoutMs, expected) => {
  expect(recordsMs(timeoutMs)).toBe(expected)
})
