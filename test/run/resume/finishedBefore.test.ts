import { execFileSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Checkout } from '../../../src/git/repository/readCheckout.ts'
import { finishedBefore } from '../../../src/run/resume/finishedBefore.ts'
import type { RunRequest } from '../../../src/run/run.ts'
import { makeFolder } from '../../helpers/makeFolder.ts'
import { serveTurns } from '../../helpers/model/serveTurns.ts'
import { type CliRun, runCli } from '../../helpers/runs/cliRun.ts'
import { manifest, writePlugin } from '../../helpers/runs/plugins.ts'

const prepare = (cwd: string) =>
  void execFileSync(
    'sh',
    ['-ec', 'git init -q; echo a > a; git add a; git -c user.name=a -c user.email=a@b commit -qm a'],
    { cwd },
  )
const finish = { tools: [{ name: 'Finish', input: { status: 'completed', summary: 'All well.' } }] }

const again = (run: CliRun, ...words: string[]) => [...words, '--once', '--transcript', run.transcript]

it('needs a place of the record', async () => {
  const given = { config: {} } as RunRequest
  await expect(finishedBefore(given, { commit: null } as Checkout)).rejects.toMatchObject({
    ...{ reason: 'usage', message: expect.stringContaining('--once needs --transcript FILE') },
  })
})

it('runs again where another commit is checked out', async () => {
  const server = await serveTurns(finish, finish)
  const first = await runCli(['go', '--once'], { server, prepare })
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'b', '--allow-empty'], {
    cwd: first.project,
  })
  const second = await runCli(again(first, 'go'), { server, after: first })
  expect([second.code, second.stderr]).toEqual([0, expect.stringContaining('its task, policy, base commit, model or')])
  expect([server.requests.length, existsSync(join(first.base, 'run.attempt-1.jsonl'))]).toEqual([2, true])
})

it('runs again where a plugin has changed', { tags: 'long' }, async () => {
  const server = await serveTurns(finish, finish)
  const plugin = makeFolder()
  writePlugin(plugin, { ...manifest('a'), 'commands/b.md': 'Do it.' })
  const flags = ['go', '--plugin-dir', plugin]
  const first = await runCli([...flags, '--once'], { server, prepare })
  expect((await runCli(again(first, ...flags), { server, after: first })).stderr).toContain('is completed already')
  writeFileSync(join(plugin, 'commands/b.md'), 'Do more.')
  const third = await runCli(again(first, ...flags), { server, after: first })
  expect([third.stderr, server.requests.length]).toEqual([expect.stringContaining('model or plugins were others'), 2])
})
