import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { HookSettings } from '../../../src/contracts/settings.ts'
import { processesOf } from '../../faults/machine.ts'
import { call, serveTurns } from '../../helpers/model/serveTurns.ts'
import { runCli, type StartedCli, startCli } from '../../helpers/runs/cliRun.ts'
import { bash, eventsOf, finish, on, outcomesOf, policyOf } from '../../helpers/runs/hookRuns.ts'
import { isAlive } from '../../helpers/runs/isAlive.ts'
import { sampled } from '../../helpers/sampled.ts'
import { stubHook } from '../../helpers/tools/testHooks.ts'

/** How a hook can fail, short of judging. */
const FAULTS: Readonly<Record<string, (more?: object) => HookSettings>> = {
  'exit 1': (more) => stubHook('exit', '1', more),
  'a signal': (more) => stubHook('signal', 'SIGKILL', more),
  silence: (more) => stubHook('hang', '../hang.pid', { timeout: 0.5, ...more }),
  'unreadable JSON': (more) => stubHook('print', '{"decision": ', more),
  'more than 1 MiB': (more) => stubHook('flood', '', more),
}

describe('a hook that fails', () => {
  const names = Object.keys(FAULTS)
  const each = (event: 'PreToolUse' | 'PermissionRequest', onError?: 'continue') => ({
    [event]: Object.values(FAULTS).map((fault, index) => ({
      hooks: [fault({ if: `Bash(touch ${index})`, ...(onError === undefined ? {} : { onError }) })],
    })),
  })
  const touches = () => ({ tools: names.map((_, index) => ({ name: 'Bash', input: { command: `touch ${index}` } })) })

  for (const event of ['PreToolUse', 'PermissionRequest'] as const) {
    it(`denies on ${event}: ${names.join(', ')}`, { tags: 'long' }, async () => {
      const server = await serveTurns(touches(), finish())
      const allow = event === 'PreToolUse' ? ['Bash(touch *)', 'Edit(./**)'] : ['Edit(./**)']
      const run = await runCli(['x'], { server, policy: policyOf(each(event), { allow }) })
      expect(run.result().permission_denials.map(({ reason }) => reason.startsWith(`${event} hook `))).toEqual(
        names.map(() => true),
      )
      expect(names.filter((_, index) => existsSync(join(run.project, String(index))))).toEqual([])
      expect(outcomesOf(run).sort()).toEqual([...Array(4).fill(`${event} failed`), `${event} timeout`])
    })
  }

  it('is a warning with onError: continue', { tags: 'long' }, async () => {
    const server = await serveTurns(touches(), finish())
    const run = await runCli(['x'], {
      server,
      policy: policyOf(each('PreToolUse', 'continue'), { allow: ['Bash(touch *)', 'Edit(./**)'] }),
    })
    expect([run.code, run.result().permission_denials]).toEqual([0, []])
    expect(eventsOf(run, 'warning').filter(({ code }) => code === 'hook_failed')).toHaveLength(names.length)
  })

  const agent = call('Agent', { description: 'count', prompt: 'count', subagent_type: 'counter' })
  const agents = { counter: { description: 'counts', prompt: 'You count.', tools: ['LS'] } }
  /** Every fault on every event stands in the tests of the hooks themselves; here, what follows from it. */
  const ENDS = [
    { event: 'UserPromptSubmit', faults: ['exit 1', 'silence'], turns: [], end: [3, 'stopped_by_hook'] },
    { event: 'Stop', faults: ['a signal', 'unreadable JSON'], turns: [{ say: 'done' }], end: [1, 'stop_hook_failed'] },
    {
      event: 'SubagentStop',
      faults: ['exit 1', 'more than 1 MiB'],
      turns: [agent, { say: 'three' }],
      end: [1, 'stop_hook_failed'],
    },
  ] as const
  for (const { event, faults, turns, end } of ENDS) {
    it(`ends the run on ${event}: ${end.join(' ')}`, { tags: 'long' }, async () => {
      for (const fault of sampled<keyof typeof FAULTS>(faults, 1, 1)) {
        const server = await serveTurns(...turns)
        const policy = policyOf(on(event, FAULTS[fault]?.() ?? stubHook('')), { allow: ['Agent'] }, { agents })
        const run = await runCli(['x', '--tools', 'Agent,LS'], { server, policy })
        expect([fault, run.code, run.result().exit_reason]).toEqual([fault, ...end])
        expect(run.result().detail).toContain('stubHook.mjs')
        expect(server.requests).toHaveLength(turns.length)
        expect(run.toolResults()).toHaveLength(event === 'SubagentStop' ? 1 : 0)
      }
    })
  }

  it('is a warning on all events that cannot block', { tags: 'long' }, async () => {
    const broken = { hooks: [stubHook('exit', '1')] }
    const server = await serveTurns(
      call('Read', { file_path: 'a.txt' }),
      call('Read', { file_path: 'none' }),
      bash('touch x'),
      finish(),
    )
    const events = [
      'SessionStart',
      'PostToolUse',
      'PostToolUseFailure',
      'PermissionDenied',
      'Notification',
      'SessionEnd',
    ] as const
    const run = await runCli(['x'], {
      server,
      files: { 'a.txt': 'a' },
      policy: policyOf(Object.fromEntries(events.map((event) => [event, [broken]]))),
    })
    expect(run.code).toBe(0)
    expect(outcomesOf(run)).toEqual(expect.arrayContaining(events.map((event) => `${event} failed`)))
    expect(eventsOf(run, 'warning').filter(({ code }) => code === 'hook_failed')).toHaveLength(events.length + 1)
  })

  it('a missing or unusable script exits with 78, before a key is needed', async () => {
    const server = await serveTurns()
    const run = await runCli(['x'], {
      server,
      hasKey: false,
      files: { 'plain.sh': 'exit 0\n' },
      policy: policyOf({
        PreToolUse: [{ hooks: [{ type: 'command', command: './plain.sh' }] }],
        Stop: [{ hooks: [{ type: 'command', command: 'bash gone.sh' }] }],
      }),
    })
    expect(run.code).toBe(78)
    expect(run.stderr).toMatch(/plain\.sh is not executable[\s\S]*gone\.sh does not exist/)
  })

  it('a script that the run changes still runs as it was at the start, with the files that it loads', {
    tags: 'long',
  }, async () => {
    const server = await serveTurns(
      bash('ls'),
      call('Read', { file_path: 'ci/guard.sh' }),
      call('Read', { file_path: 'ci/words.sh' }),
      call('Write', { file_path: 'ci/guard.sh', content: 'touch ../escaped\n' }),
      call('Write', { file_path: 'ci/words.sh', content: 'touch ../escaped\n' }),
      bash('ls'),
      finish(),
    )
    const run = await runCli(['x'], {
      server,
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
})

describe('signals', () => {
  for (const event of ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'Stop'] as const) {
    it(`SIGTERM while a ${event} hook hangs and ignores it: 143, and nothing is left`, { tags: 'long' }, async () => {
      const server = await serveTurns(
        ...(event === 'PreToolUse' ? [bash('ls')] : event === 'Stop' ? [{ say: 'done' }] : []),
      )
      const run = startCli(['x'], { server, policy: policyOf(on(event, stubHook('hang', '../hang.pid'))) })
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
    { tags: 'long' },
    async () => {
      const server = await serveTurns(bash('sleep 60'))
      const run = startCli(['x', '--output-format', 'stream-json'], {
        server,
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
