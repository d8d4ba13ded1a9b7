import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hasBubblewrap } from '../helpers/bubblewrap.ts'
import { commitAll } from '../helpers/git.ts'
import type { CliRun } from '../helpers/runs/cliRun.ts'
import { eventsOf } from '../helpers/runs/hookRuns.ts'
import { playRun, startPlay } from '../helpers/runs/playRun.ts'

const files = { 'src/a.ts': 'a\n', 'test/a.ts': 'a\n', '.gitignore': 'dist\n' }
const policyOf = (command: string, mode = 'required') => ({
  ...{ sandbox: { mode, network: 'none' }, permissions: { allow: ['Edit(src/**)'] } },
  checks: { commands: [command], attempts: 1 },
})

const checkOf = (run: CliRun) => eventsOf(run, 'check').at(-1)

describe.skipIf(!hasBubblewrap)('a check is a transaction (needs bubblewrap)', () => {
  const play = (command: string) => playRun([], { files, prepare: commitAll, policy: policyOf(command) })

  it('fails if it changes an existing file without a rule, whatever its exit code, and nothing is kept', async () => {
    const run = await play('echo "x" > test/a.ts; echo y > src/a.ts')
    expect([run.code, run.result().exit_reason, checkOf(run)?.exit_code]).toEqual([1, 'checks_failed', 0])
    expect(checkOf(run)?.output).toContain('test/a.ts')
    const texts = ['test/a.ts', 'src/a.ts'].map((path) => readFileSync(join(run.project, path), 'utf8'))
    expect(texts).toEqual(['a\n', 'a\n'])
  })

  it('leaves out reports and covered changes with a note, and keeps ignored files', { tags: 'long' }, async () => {
    const run = await play('echo "x" > junit.xml; echo y > src/a.ts; mkdir dist; echo z > dist/z')
    expect([run.code, checkOf(run)?.ok]).toEqual([0, true])
    expect(checkOf(run)?.output).toContain('junit.xml')
    expect(existsSync(join(run.project, 'junit.xml'))).toBe(false)
    expect(readFileSync(join(run.project, 'src/a.ts'), 'utf8')).toBe('a\n')
    expect(readFileSync(join(run.project, 'dist/z'), 'utf8')).toBe('z\n')
  })
})

it('fails where the end of the run cuts it off, whatever it exits with then', { tags: 'long' }, async () => {
  const command = 'trap "exit 0" TERM; touch begun; while :; do sleep 0.1; done'
  const run = await startPlay([], { policy: policyOf(command, 'off') })
  await expect.poll(() => existsSync(join(run.project, 'begun')), { timeout: 20_000 }).toBe(true)
  run.child.kill('SIGTERM')
  const ended = await run.ended()
  expect([ended.code, checkOf(ended)]).toEqual([143, expect.objectContaining({ ok: false, exit_code: 0 })])
})
