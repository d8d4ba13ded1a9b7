import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { processesOf } from '../../faults/machine.ts'
import type { StartedCli } from '../../helpers/runs/cliRun.ts'
import { on, outcomesOf, policyOf } from '../../helpers/runs/hookRuns.ts'
import { isAlive } from '../../helpers/runs/isAlive.ts'
import { bash, playRun, read, startPlay, write } from '../../helpers/runs/playRun.ts'
import { stubHook } from '../../helpers/tools/testHooks.ts'

it('a script that the run changes still runs as it was at the start, with the files that it loads', {
  tags: 'long',
}, async () => {
  const evil = 'touch ../escaped\n'
  const files = ['ci/guard.sh', 'ci/words.sh']
  const reads = files.map((path) => read(path))
  const run = await playRun([bash('ls'), ...reads, ...files.map((path) => write(path, evil)), bash('ls')], {
    files: {
      'ci/guard.sh': '. "$(dirname "$0")/words.sh"\necho "$words" >&2; exit 2\n',
      'ci/words.sh': 'words=pinned\n',
    },
    policy: policyOf(on('PreToolUse', { type: 'command', command: 'bash ./ci/guard.sh' }, 'Bash'), {
      allow: ['Edit(ci/**)'],
    }),
  })
  expect(run.result().permission_denials.map(({ reason }) => reason)).toEqual(
    Array(2).fill('PreToolUse hook bash ./ci/guard.sh: pinned'),
  )
  expect(readFileSync(join(run.project, 'ci/guard.sh'), 'utf8')).toContain('escaped')
  expect(existsSync(join(run.base, 'escaped'))).toBe(false)
})

describe('signals', { tags: 'long' }, () => {
  for (const event of ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'Stop'] as const) {
    it(`SIGTERM while a ${event} hook hangs and ignores it: 143, and nothing is left`, async () => {
      const answers = event === 'PreToolUse' ? [bash('ls')] : event === 'Stop' ? [{ say: 'done' }] : []
      const run = await startPlay(answers, { policy: policyOf(on(event, stubHook('hang', '../hang.pid'))) })
      const pid = await untilFile(join(run.base, 'hang.pid'), run)
      run.child.kill('SIGTERM')
      const ended = await run.ended()
      expect([ended.code, ended.result().exit_reason]).toEqual([143, 'sigterm'])
      expect(ended.result().permission_denials).toEqual([])
      expect(isAlive(Number(pid))).toBe(false)
    })
  }

  it.skipIf(process.platform !== 'linux')(
    'SessionEnd hooks have 1.5 s if the run is told to end (needs Linux)',
    async () => {
      const run = await startPlay([bash('sleep 60')], {
        args: ['--output-format', 'stream-json'],
        policy: policyOf(on('SessionEnd', stubHook('hang', '../hang.pid')), { allow: ['Bash(sleep *)'] }),
      })
      await run.saw('tool_intent')
      run.child.kill('SIGTERM')
      const ended = await run.ended()
      expect([ended.code, outcomesOf(ended)]).toEqual([143, ['SessionEnd failed']])
      // What was killed may be a moment in dying, and on a busy machine it was killed before it had said who it is.
      await expect.poll(() => processesOf(run.base), { timeout: 10_000 }).toEqual([])
    },
  )
})

/** The first line of a file that the run writes. */
async function untilFile(path: string, { child }: StartedCli): Promise<string> {
  while (!existsSync(path) || !readFileSync(path, 'utf8').includes('\n')) {
    if (child.exitCode !== null) throw new Error(`the run ended without ${path}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return readFileSync(path, 'utf8').split('\n')[0] ?? ''
}
