import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeFolder } from '../helpers/makeFolder.ts'
import { serveTurns } from '../helpers/model/serveTurns.ts'
import { runCli } from '../helpers/runs/cliRun.ts'
import { bash, playRun } from '../helpers/runs/playRun.ts'

/** A program outside the project that prints another key each time: `helper-key-0001-…`. */
function helper(): { readonly command: string; calls(): number } {
  const folder = makeFolder()
  const calls = join(folder, 'calls')
  writeFileSync(calls, '')
  const script = `echo >> ${calls}; printf "helper-key-%04d-abcdefgh" $(wc -l < ${calls})`
  writeFileSync(join(folder, 'key.sh'), script)
  return { command: `bash ${join(folder, 'key.sh')}`, calls: () => readFileSync(calls, 'utf8').length }
}

const policyOf = (command: string, more = '') =>
  `version: 1\npermissions: { allow: [Bash] }\nrun: { apiKeyHelper: ${JSON.stringify(command)}${more} }\n`

it('asks for a key once, and again when the API refuses it', async () => {
  const { command, calls } = helper()
  const server = await serveTurns({ say: 'first' }, { status: 401 }, { say: 'done' })
  const first = await runCli(['do it'], { server, policy: policyOf(command), hasKey: false })
  expect([first.code, calls()], first.stderr).toEqual([0, 1])
  const second = await runCli(['do it'], { server, policy: policyOf(command), hasKey: false })
  expect([second.code, calls()], second.stderr).toEqual([0, 3])
  const keys = [1, 2, 3].map((number) => `Bearer helper-key-000${number}-abcdefgh`)
  expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(keys)
  expect(JSON.stringify([...first.records, ...second.records])).not.toContain('helper-key-000')
  expect(second.stderr).toContain('asked run.apiKeyHelper for another key')
})

it('uses a key no longer than its time', { tags: 'long' }, async () => {
  const { command, calls } = helper()
  const env = { CLAUDE_CODE_API_KEY_HELPER_TTL_MS: '1' }
  const policy = policyOf(command, ', apiKeyHelperTtl: 10m')
  const run = await playRun([bash('sleep 0.1')], { policy, hasKey: false, env })
  expect([run.code, calls() > 1], run.stderr).toEqual([0, true])
})

it.each([
  ['prints nothing', 'true', 'the output of run.apiKeyHelper is empty'],
  ['prints two lines', 'echo a; echo b', 'the output of run.apiKeyHelper contains white space'],
])('ends before any request if the command %s', async (_, command, text) => {
  const run = await playRun([], { hasKey: false, policy: policyOf(command) })
  expect([run.code, run.stderr, run.api.requests]).toEqual([77, expect.stringContaining(text), []])
})

it('refuses a command that names the checkout by its path', async () => {
  const first = await playRun([])
  const policy = policyOf(`bash ${first.project}/key.sh`)
  const run = await playRun([], { after: first, policy, hasKey: false })
  expect([run.code, run.stderr]).toEqual([78, expect.stringContaining('names something in the checkout')])
})
