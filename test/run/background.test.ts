import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { playRun } from '../helpers/runs/playRun.ts'
import { sampled } from '../helpers/sampled.ts'

const background = (command: string) => ({ name: 'Bash', input: { command, run_in_background: true } })
const SAYS_DONE = { say: 'Started; I will be notified.' } as const
const policyOf = (wait: string) =>
  `version: 1\npermissions: { allow: [Bash, Edit] }\nrun: { backgroundWait: ${wait} }\n`

describe('background commands of an agent that is done', () => {
  it.each(
    sampled(
      [
        ['ends its turn', [SAYS_DONE]],
        ['calls Finish', [{ name: 'Finish', input: { status: 'completed', summary: 'early' } }]],
      ] as const,
      1,
    ),
  )('are waited for, and it is told how they ended: %s', async (_, ends) => {
    const run = await playRun([background('sleep 0.3; echo failed tests; echo x > marker.txt; exit 7'), ...ends], {
      policy: policyOf('1m'),
    })
    const said = JSON.stringify(run.api.requests.at(-1)?.body.messages)
    expect(said).toMatch(/bash_1 \(sleep 0\.3.*\) has ended: exited, exit code 7\. Its last output:\\nfailed tests/)
    expect(readFileSync(join(run.project, 'marker.txt'), 'utf8')).toBe('x\n')
    expect([run.result().exit_reason, run.result().result], run.stderr).toEqual(['completed', 'done'])
    expect(run.result().background).toMatchObject([{ name: 'bash_1', state: 'exited', exit_code: 7 }])
    expect(run.stderr).toContain('Waiting up to 60 s for bash_1 (sleep 0.3')
  })
})
