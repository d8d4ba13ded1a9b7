import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { HookSettings } from '../../../src/contracts/settings.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'
import { call, serveTurns } from '../../helpers/model/serveTurns.ts'
import { type CliRun, runCli } from '../../helpers/runs/cliRun.ts'
import { eventsOf, on, policyOf, specific } from '../../helpers/runs/hookRuns.ts'
import { isAlive } from '../../helpers/runs/isAlive.ts'
import { FINISH, playRun } from '../../helpers/runs/playRun.ts'

const warningsOf = (run: CliRun) => eventsOf(run, 'warning').map(({ message }) => message)

/** Answers when the gate is there, so that the hook outlives what it must not delay. */
const waiting = (gate: string, answer: object): HookSettings => ({
  ...{ type: 'command', async: true, command: '/bin/bash' },
  args: ['-c', `until [ -e ${gate} ]; do /bin/sleep 0.02; done; echo '${JSON.stringify(answer)}'`],
})

it('does not delay the call; what it says comes with a later message, and its decision counts for nothing', {
  tags: 'long',
}, async () => {
  const gate = join(makeFolder(), 'gate')
  const answer = {
    decision: 'block',
    reason: 'too late',
    systemMessage: 'for people',
    ...specific('PreToolUse', { additionalContext: 'for the model' }),
  }
  const seen: string[] = []
  const server = await serveTurns((request) => {
    const text = JSON.stringify(request.body.messages)
    seen.push(text)
    // The call has run, although its hook has not answered: now it may.
    if (text.includes('tool_result') && !existsSync(gate)) writeFileSync(gate, '')
    return text.includes('for the model') ? FINISH : call('Read', { file_path: 'a.txt' })
  })
  const policy = policyOf(on('PreToolUse', waiting(gate, answer), 'Read'))
  const run = await runCli(['read it'], { server, files: { 'a.txt': 'a' }, policy })
  expect(run.code, run.stderr).toBe(0)
  expect(seen[1]).toContain('tool_result')
  expect(seen[1]).not.toContain('for the model')
  expect(seen.at(-1)).toContain('<hook-context>\\nfor the model\\n</hook-context>')
  expect(warningsOf(run)).toContainEqual(expect.stringContaining('for people'))
  expect(warningsOf(run)).toContainEqual(expect.stringMatching(/decided, which counts for nothing.*: too late$/))
})

it('is awaited at the end of the run', { tags: 'long' }, async () => {
  const hook = { type: 'command', async: true, command: 'sleep 0.3; echo \'{"systemMessage":"still heard"}\'' } as const
  const run = await playRun([], { policy: policyOf(on('SessionStart', hook)) })
  expect(run.code, run.stderr).toBe(0)
  expect(warningsOf(run)).toContainEqual(expect.stringContaining('still heard'))
})

it('is ended if it does not end, and that is said', { tags: 'long' }, async () => {
  const hook = { type: 'command', async: true, command: 'echo $$ > ../pid; sleep 600' } as const
  const run = await playRun([], { policy: policyOf(on('SessionStart', hook), {}, { sandbox: { mode: 'off' } }) })
  expect(run.code, run.stderr).toBe(0)
  const ended = 'still ran 5 s after the end of the run and was ended'
  expect(warningsOf(run)).toContainEqual(expect.stringContaining(ended))
  const pid = Number(readFileSync(join(run.base, 'pid'), 'utf8'))
  expect(isAlive(pid)).toBe(false)
})
