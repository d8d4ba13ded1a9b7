import { expect, it } from 'vitest'
import type { CommandResult } from '../../src/contracts/commands.ts'
import { createBackgroundCommand } from '../../src/sandbox/createBackgroundCommand.ts'

const EMPTY = { text: '', bytes: 0, isTruncated: false }
const END: CommandResult = {
  ...{ exitCode: null, signal: null, isTimedOut: false, isAborted: false, timeoutMs: 1000, durationMs: 1 },
  ...{ stdout: EMPTY, stderr: EMPTY },
}

// A signal that the process reports is shown by createCommandAccess.test.
it('a command that was ended counts as killed, also where a sandbox reports no signal', async () => {
  const command = createBackgroundCommand({ id: 'bash_1', command: 'sleep 9' }, ({ signal }) => {
    return new Promise((resolve) => signal.addEventListener('abort', () => resolve({ ...END, isAborted: true })))
  })
  expect(command.status()).toEqual({ state: 'running', exitCode: null })
  await command.kill()
  expect(command.status()).toEqual({ state: 'killed', exitCode: null })
})

it('a command that ended by itself has exited', async () => {
  const command = createBackgroundCommand({ id: 'bash_1', command: 'false' }, async () => ({ ...END, exitCode: 1 }))
  await command.kill()
  expect(command.status()).toEqual({ state: 'exited', exitCode: 1 })
})
