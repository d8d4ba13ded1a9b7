import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Turn } from '../../../src/model/replay/renderTurn.ts'
import { sandboxProblem } from '../../faults/machine.ts'
import { commitAll, gitAt } from '../../helpers/git.ts'
import type { RecordedRequest } from '../../helpers/model/messagesServer.ts'
import { serveTurns } from '../../helpers/model/serveTurns.ts'
import { agent, bash, calls, playAgents, say, systemOf, type TurnFor } from '../../helpers/runs/agentRuns.ts'
import { type CliRun, startCli } from '../../helpers/runs/cliRun.ts'
import { eventsOf } from '../../helpers/runs/hookRuns.ts'
import { FINISH, resultsIn, write } from '../../helpers/runs/playRun.ts'

const inBackground = (name: string) => agent(name, 'go', { run_in_background: true })
/** Busy until the main loop has made so many requests, then these answers. */
const afterMain = (requests: number, ...turns: readonly Turn[]): TurnFor => {
  let next = 0
  return (n, ofMain) => (ofMain < requests ? bash(`echo ${n}`) : (turns[next++] ?? say('no more')))
}
/** Ends when it has heard so many agents; how soon that is, nobody knows. */
const untilHeard =
  (agents: number, ...first: readonly Turn[]): TurnFor =>
  (n, _ofMain, request) =>
    first[n] ?? (answersIn(request) < agents ? say('I wait') : FINISH)
const answersIn = (request: RecordedRequest | undefined): number =>
  JSON.stringify(request?.body.messages ?? []).split('<agent-answer ').length - 1
const lastText = (request: RecordedRequest | undefined): string =>
  JSON.stringify(request?.body.messages.at(-1)?.content ?? '')

const POLICY = `version: 1
permissions: { allow: [Bash, Agent, SendMessage, "Edit(./**)"] }
agents:
  worker: { description: w, prompt: I am the worker }
  second: { description: s, prompt: I am the second, maxTurns: 2 }
`

describe('an agent in the background', { tags: 'long' }, () => {
  it('works while its parent continues, which ends only after the answer', async () => {
    const { run, api } = await playAgents(
      {
        main: untilHeard(1, calls(inBackground('worker')), calls(write('go'))),
        'I am the worker': afterMain(2, calls(write('made')), say('the worker is done')),
      },
      { policy: POLICY },
    )
    expect([run.code, existsSync(join(run.project, 'made'))]).toEqual([0, true])
    const [, second] = mainOf(api)
    const heard = lastText(mainOf(api).find((request) => answersIn(request) > 0))
    expect(resultsIn(second?.body.messages)[0]).toMatch(/^agent_\w+ is running in the background\. /)
    expect(heard).toMatch(/<agent-answer agent=\\"worker\\" id=\\"agent_\w+\\" outcome=\\"completed\\">/)
    expect(heard).toContain('the worker is done')
    expect(run.result().exit_reason).toBe('completed')
  })

  it('delivers its answer at the next turn', async () => {
    const { run } = await playAgents(
      {
        'I am the worker': () => say('the worker is done'),
        main: (n, _ofMain, request) => {
          if (n === 0) return calls(inBackground('worker'))
          return answersIn(request) > 0 ? FINISH : bash(`echo ${n}`)
        },
      },
      { policy: POLICY },
    )
    expect([run.code, run.result().exit_reason]).toEqual([0, 'completed'])
    const told = run.records.filter((record) => record.type === 'user' && record.parent_tool_use_id === null)
    expect(told.filter((record) => JSON.stringify(record).includes('<agent-answer'))).toHaveLength(1)
  })

  it('discards a report that came before its answer', async () => {
    const { run, api } = await playAgents(
      {
        main: [calls(inBackground('worker')), FINISH, FINISH],
        'I am the worker': afterMain(2, say('the worker is done')),
      },
      { policy: POLICY },
    )
    const last = mainOf(api).at(-1)
    expect(lastText(last)).toContain('the worker is done')
    expect(lastText(last)).toContain('This arrived after you called Finish.')
    expect([run.code, mainOf(api).length]).toEqual([0, 3])
  })

  it('records each intent before its effect, under the call that started it', async () => {
    const { run } = await playAgents(
      {
        main: untilHeard(1, calls(inBackground('worker')), calls(write('go'))),
        'I am the worker': afterMain(2, bash('echo done > made'), say('done')),
      },
      { policy: POLICY },
    )
    const start = eventsOf(run, 'tool_intent').find((record) => record.tool_name === 'Agent')?.tool_use_id
    const own = run.records.filter((record) => 'parent_tool_use_id' in record && record.parent_tool_use_id === start)
    const lines = own.map((record) => JSON.stringify(record))
    const intent = lines.findIndex((line) => line.includes('"tool_intent"') && line.includes('echo done > made'))
    expect(intent).toBeGreaterThan(-1)
    expect(lines.findIndex((line) => line.includes('"kept":[{"path":"made"'))).toBeGreaterThan(intent)
    expect(own.at(-1)).toMatchObject({ subtype: 'status' })
    const answered = run.records.findIndex((record) => JSON.stringify(record).includes('<agent-answer'))
    expect(run.records.indexOf(own.at(-1) as never)).toBeLessThan(answered)
  })

  it('counts its usage and denials for the run', async () => {
    const { run, api } = await playAgents(
      {
        main: untilHeard(2, calls(inBackground('worker'), inBackground('second'))),
        'I am the worker': [{ ...bash('curl evil.test'), usage: { input_tokens: 1000 } }, say('denied')],
        'I am the second': [bash('wget evil.test'), say('denied too')],
      },
      { policy: POLICY.replace('[Bash, Agent', '["Bash(touch *)", Agent') },
    )
    const result = run.result()
    const denied = result.permission_denials.map(({ tool_input }) => tool_input['command'])
    expect(denied.toSorted()).toEqual(['curl evil.test', 'wget evil.test'])
    expect(result.usage.input_tokens).toBe(1000 + (api.requests.length - 1) * 100)
    expect(result.num_turns).toBe(mainOf(api).length)
  })

  it('has its own view and turn limit', async () => {
    const { run, api } = await playAgents(
      {
        main: untilHeard(2, calls(inBackground('worker'), inBackground('second'))),
        'I am the worker': [bash('echo 1 > one'), bash('cat two || echo 2'), say('one is made')],
        'I am the second': [bash('echo 2 > two'), bash('echo 3'), say('never asked for')],
      },
      { policy: POLICY },
    )
    const heard = JSON.stringify(mainOf(api).at(-1)?.body.messages)
    expect(heard).toContain('one is made')
    expect(heard).toContain('The agent did not end within 2 turns.')
    const kept = eventsOf(run, 'effects').map((record) => JSON.stringify(record.kept))
    expect(kept.toSorted()).toEqual(['[{"path":"one","kind":"created"}]', '[{"path":"two","kind":"created"}]'])
  })

  // Without a view one command waits for the end of the other.
  it.skipIf(sandboxProblem() !== undefined)('ends with the one that started it (needs bubblewrap)', async () => {
    const { run } = await playAgents(
      {
        main: [calls(inBackground('worker')), bash('echo here')],
        'I am the worker': [bash('sleep 600'), say('never')],
      },
      { policy: POLICY, args: ['--max-turns', '2'] },
    )
    expect(run.result().exit_reason).toBe('max_turns')
    const status = eventsOf(run, 'status').map((record) => `${record.status} ${record.detail}`)
    expect(status.at(-1)).toMatch(/^agent_ended worker \(agent_\w+\): max_turns$/)
  })
})

describe('an agent in a worktree', { tags: 'long' }, () => {
  const prepare = commitAll
  const apart = (name: string, more = {}) => agent(name, 'go', { isolation: 'worktree', ...more })
  const files = { 'src/a.txt': 'one\n', '.gitignore': 'lib\n', 'lib/x.txt': 'not there\n' }
  const policy = POLICY.replace('"Edit(./**)"', '"Edit(src/**)"')
  const patches = (run: CliRun): string[] => {
    const folder = join(run.base, `${run.result().session_id}-artifacts`)
    return readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))
  }

  // Without a view, what lies in a worktree is not compared: it reaches the user as a patch alone.
  it.skipIf(sandboxProblem() !== undefined)(
    'changes a copy under the rules of the project, and returns its changes as a patch (needs bubblewrap)',
    async () => {
      const { run, api } = await playAgents(
        {
          main: [calls(apart('worker'), apart('second')), FINISH],
          'I am the worker': [
            calls(write('src/b.txt', 'by the worker\n'), write('b.txt')),
            bash('echo new > src/new.txt; mkdir lib; echo lib > lib/ignored.txt'),
            bash('echo no > c.txt'),
            say('changed'),
          ],
          'I am the second': [bash('cat src/a.txt; echo by the second > src/a.txt'), say('changed too')],
        },
        { policy, files, prepare },
      )
      expect(readFileSync(join(run.project, 'src/a.txt'), 'utf8')).toBe('one\n')
      expect(readdirSync(run.project).sort()).toEqual(['.git', '.gitignore', 'lib', 'src'])
      expect(gitAt(run.project)('worktree', 'list').split('\n')).toHaveLength(1)
      const [first = '', second = ''] = resultsIn(mainOf(api).at(-1)?.body.messages)
      expect(first).toMatch(/^changed\n\nIts worktree is gone, and the project does not have its changes\. /)
      expect(second).toMatch(/^changed too\n\n/)
      const [copy = ''] = /\S*\/blobs\/\w+/.exec(first) ?? []
      const patch = readFileSync(copy, 'utf8')
      expect(patch).toContain('+by the worker')
      expect(patch).toContain('src/new.txt')
      expect(patch).not.toMatch(/a\/[bc]\.txt|lib|by the second/)
      expect(run.result().permission_denials.length).toBeGreaterThan(0)
      expect(patches(run)).toHaveLength(2)
      expect(run.result().changes).toEqual([])
    },
  )

  it('ends with an interrupted run, with its worktree', async () => {
    const api = await serveTurns((request) => {
      if (systemOf(request).includes('I am the worker'))
        return [calls(write('src/new.txt', 'kept\n')), bash('echo busy; sleep 600')][sentBy(request)] ?? FINISH
      return sentBy(request) === 0 ? calls(apart('worker', { run_in_background: true })) : say('I wait')
    })
    const args = ['go', '--tools', 'Agent,Bash,Write', '--output-format', 'stream-json']
    const started = startCli(args, { server: api, policy, files, prepare })
    await started.saw('Running echo busy; sleep 600')
    started.child.kill('SIGTERM')
    const run = await started.ended()
    expect([run.code, run.result().exit_reason]).toEqual([143, 'sigterm'])
    expect(eventsOf(run, 'status').map((record) => record.status)).toEqual(['agent_started', 'agent_ended'])
    expect(existsSync(join(run.project, '.kode-worktrees'))).toBe(false)
    expect(patches(run)).toEqual([expect.stringContaining('+kept')])
  })
})

/** How many answers a conversation has had. */
function sentBy(request: RecordedRequest): number {
  return (request.body.messages.length - 1) / 2
}

function mainOf(api: { readonly requests: readonly RecordedRequest[] }): RecordedRequest[] {
  return api.requests.filter((request) => !/I am the (worker|second)/.test(systemOf(request)))
}
