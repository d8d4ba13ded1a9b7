import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeFolder } from '../../helpers/makeFolder.ts'
import { serveTurns } from '../../helpers/model/serveTurns.ts'
import { type CliRun, runCli } from '../../helpers/runs/cliRun.ts'
import { manifest, writePlugin } from '../../helpers/runs/plugins.ts'
import { sampled } from '../../helpers/sampled.ts'

const prepare = (cwd: string) =>
  void execFileSync(
    'sh',
    ['-ec', 'git init -q; echo a > a; git add a; git -c user.name=a -c user.email=a@b commit -qm a'],
    { cwd },
  )
const finish = { tools: [{ name: 'Finish', input: { status: 'completed', summary: 'All well.' } }] }
const fail = { tools: [{ name: 'Finish', input: { status: 'failed', summary: 'No.' } }] }

const again = (run: CliRun, ...words: string[]) => [...words, '--once', '--transcript', run.transcript]
const recordsOf = ({ base }: CliRun) =>
  readdirSync(base)
    .filter((name) => name.endsWith('.jsonl'))
    .toSorted()

it('a task that is completed ends green without a request', async () => {
  const server = await serveTurns(finish)
  const first = await runCli(['go', '--once'], { server, prepare })
  const second = await runCli(again(first, 'go'), { server, after: first })
  expect([first.code, second.code, server.requests.length]).toEqual([0, 0, 1])
  expect(second.stderr).toContain('This task is completed already')
  expect([second.stdout, recordsOf(first)]).toEqual([first.stdout, ['run.jsonl']])
  expect(readFileSync(first.summary, 'utf8')).toContain('All well.')
})

it.each<[string, typeof finish, readonly string[], (run: CliRun) => void, string]>(
  sampled<[string, typeof finish, readonly string[], (run: CliRun) => void, string]>(
    [
      ['failed', fail, ['go'], () => undefined, 'ended with task_failed'],
      ['had another task', finish, ['stop'], () => undefined, 'its task, policy, base commit, model or plugins'],
      ['was told more', finish, ['go', '--append-system-prompt', 'Be brief.'], () => undefined, 'its task, policy'],
      ['was done by another agent', finish, ['go', '--agent', 'Explore'], () => undefined, 'its task, policy'],
      [
        'had another base commit',
        finish,
        ['go'],
        ({ project }) =>
          void execFileSync('sh', ['-ec', 'git -c user.name=a -c user.email=a@b commit -qm b --allow-empty'], {
            cwd: project,
          }),
        'its task, policy, base commit, model or plugins',
      ],
      [
        'was changed',
        finish,
        ['go'],
        ({ transcript }) => writeFileSync(transcript, readFileSync(transcript, 'utf8').replace('"cwd"', '"cwd" ')),
        'its record was changed',
      ],
      [
        'has no end',
        finish,
        ['go'],
        ({ transcript }) => {
          const [init = ''] = readFileSync(transcript, 'utf8').split('\n')
          writeFileSync(transcript, `${init.replace(/"pid":\d+/, '"pid":4194305')}\n`)
        },
        'its run has no end',
      ],
    ],
    1,
    3,
  ),
)('runs again where the earlier run %s, and keeps its record', async (_, turn, words, change, why) => {
  const server = await serveTurns(turn, finish)
  const first = await runCli(['go', '--once'], { server, prepare })
  change(first)
  const second = await runCli(again(first, ...words), { server, after: first })
  expect([second.code, server.requests.length, recordsOf(first)]).toEqual([0, 2, ['run.attempt-1.jsonl', 'run.jsonl']])
  expect(second.stderr).toContain(why)
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

it('does nothing beside a run that is at work', { tags: 'long' }, async () => {
  const server = await serveTurns(finish)
  const first = await runCli(['go', '--once'], { server, prepare })
  const [init = ''] = readFileSync(first.transcript, 'utf8').split('\n')
  writeFileSync(first.transcript, `${init}\n`)
  const second = await runCli(again(first, 'go'), { server, after: first })
  expect([second.code, second.stderr]).toEqual([75, expect.stringContaining('is at work on this task')])
})
