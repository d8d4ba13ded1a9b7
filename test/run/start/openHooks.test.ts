import { expect, it } from 'vitest'
import { besideRunner } from '../../../src/run/start/openHooks.ts'

const done = (by: string) => async (request: object, mode: object) => ({ by, request, mode })
const base = (state: string, landlock?: object) => ({
  children: { sandbox: { state, landlock }, commands: { runOn: done('command') }, hookCommands: { run: done('hook') } },
  transactions: { effects: { watch: async (by: string, how: object, run: () => unknown) => [by, how, await run()] } },
})

it('async hooks run beside commands: in the sandbox as others do, else as hooks, behind Landlock watched', async () => {
  const request = { file: 'bash', args: [], effects: { access: 'read', mayChangeGit: false, by: 'x' } } as never
  expect(besideRunner(base('enforced') as never)).toBeUndefined()
  expect(await besideRunner(base('off') as never)?.(request)).toMatchObject({ by: 'hook' })
  const direct = { access: 'direct', mayChangeGit: false, by: 'hook' }
  expect(await besideRunner(base('off', {}) as never)?.(request)).toEqual([
    ...['an async hook', direct],
    { by: 'command', request: { file: 'bash', args: [], effects: direct }, mode: expect.anything() },
  ])
})
