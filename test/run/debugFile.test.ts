import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { bash, playRun } from '../helpers/runs/playRun.ts'

const POLICY = 'version: 1\npermissions: { allow: [Read, Bash, Edit] }\n'

it('--debug-file writes the log of --verbose with times, whatever the console shows', { tags: 'long' }, async () => {
  const run = await playRun([bash('true')], { policy: POLICY, args: ['--quiet', '--debug-file', 'debug.log'] })
  expect([run.code, run.stderr]).toEqual([0, expect.not.stringContaining('Bash(true)')])
  expect(readFileSync(join(run.project, 'debug.log'), 'utf8')).toMatch(/^.*\d\d:\d\d:\d\d .*Bash\(true\)/m)
})

it.each(['--debug-file', '--attest'])('%s replaces a file, and nothing else: not a link, not a pipe', async (flag) => {
  const run = await playRun([], { policy: POLICY, args: [flag, 'link'], files: { kept: 'kept', link: '-> kept' } })
  expect([run.code, run.stderr]).toEqual([73, expect.stringContaining(`${flag} `)])
  expect(readFileSync(join(run.project, 'link'), 'utf8')).toBe('kept')
})
