import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openStateFolder } from '../../../src/report/transcript/openStateFolder.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'

it('lies where the runner or the user says, if that is a path from the root', () => {
  const [runner, state, home] = [makeFolder(), makeFolder(), makeFolder()]
  const open = (environment: Record<string, string>) => openStateFolder(environment, home)
  const at = (...parts: readonly string[]) => ({ path: join(...parts, 'kode-run'), warnings: [] })
  expect(open({ RUNNER_TEMP: runner, XDG_STATE_HOME: state })).toEqual(at(runner))
  expect(open({ RUNNER_TEMP: 'here', XDG_STATE_HOME: state })).toEqual(at(state))
  expect(open({ RUNNER_TEMP: '', XDG_STATE_HOME: '.' })).toEqual(at(home, '.local/state'))
})
