import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { playRun } from '../helpers/runs/playRun.ts'

const POLICY = 'version: 1\npermissions: { allow: [Read, Bash, Edit] }\n'
const bash = { name: 'Bash', input: { command: 'true' } }

it('--debug-file writes the log of --verbose with times, whatever the console shows', { tags: 'long' }, async () => {
  const run = await playRun([bash], { policy: POLICY, args: ['--quiet', '--debug-file', 'debug.log'] })
  expect([run.code, run.stderr]).toEqual([0, expect.not.stringContaining('Bash(true)')])
  expect(readFileSync(join(run.project, 'debug.log'), 'utf8')).toMatch(/^.*\d\d:\d\d:\d\d .*Bash\(true\)/m)
})

it.each(['--debug-file', '--attest'])('%s replaces a file, and nothing else: not a link, not a pipe', async (flag) => {
  const prepare = (project: string) => {
    writeFileSync(join(project, 'kept'), 'kept')
    symlinkSync('kept', join(project, 'link'))
  }
  const run = await playRun([], { policy: POLICY, args: [flag, 'link'], prepare })
  expect([run.code, run.stderr]).toEqual([73, expect.stringContaining(`${flag} `)])
  expect(readFileSync(join(run.project, 'link'), 'utf8')).toBe('kept')
})
