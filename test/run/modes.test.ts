import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { PermissionMode } from '../../src/contracts/decision.ts'
import type { Turn } from '../../src/model/replay/renderTurn.ts'
import type { RecordedRequest } from '../helpers/model/messagesServer.ts'
import { call, serveTurns } from '../helpers/model/serveTurns.ts'
import { type CliRun, runCli } from '../helpers/runs/cliRun.ts'
import { eventsOf } from '../helpers/runs/hookRuns.ts'
import { sampled } from '../helpers/sampled.ts'

const finish: Turn = call('Finish', { status: 'completed', summary: 'done' })
const bash = (command: string) => call('Bash', { command })
const write = (file_path: string) => call('Write', { file_path, content: 'x\n' })

const TODO = { content: 'look', status: 'pending', activeForm: 'Looking' }
/** One call of each kind; `made` is what is there if it ran. */
const CALLS = {
  'an edit inside': { turn: write('src/a.ts'), made: 'src/a.ts' },
  'an edit of a protected file': { turn: write('.husky/pre-commit'), made: '.husky/pre-commit' },
  'an edit outside': { turn: write('../outside'), made: '../outside' },
  'a command with a rule': { turn: bash('touch ruled'), made: 'ruled' },
  'a command that is to be asked for': { turn: bash('touch asked'), made: 'asked' },
  'a command that is denied': { turn: bash('touch denied'), made: 'denied' },
  'a command without a rule': { turn: bash('mkdir free'), made: 'free' },
  'a command that cannot be known': { turn: bash('$WHAT free'), made: 'never' },
  'a look inside': { turn: call('Read', { file_path: 'there.txt' }), made: undefined },
  'a note to itself': { turn: call('TodoWrite', { todos: [TODO] }), made: undefined },
} as const
type Name = keyof typeof CALLS

const permissions = (defaultMode: PermissionMode) => ({
  defaultMode,
  allow: ['Bash(touch ruled)', 'Edit(ruled)'],
  ask: ['Bash(touch asked)'],
  deny: ['Bash(touch denied)'],
})

const EDITS = ['an edit inside', 'a command with a rule', 'a look inside', 'a note to itself'] as const
/** Which calls run in a mode, where nobody and no hook answers. */
const TABLE: readonly (readonly [PermissionMode, readonly Name[]])[] = [
  ['default', ['a command with a rule', 'a note to itself']],
  ['acceptEdits', EDITS],
  ['plan', ['a note to itself']],
  ['dontAsk', ['a command with a rule', 'a note to itself']],
  ['auto', EDITS],
]

const judgeModel = 'claude-haiku-5-5'
const isJudge = ({ body }: RecordedRequest) => body.model === judgeModel
const turnOf = ({ body }: RecordedRequest) =>
  body.messages.filter(({ role }: { role: string }) => role === 'assistant').length

function decisionsOf(run: CliRun) {
  return eventsOf(run, 'permission_decision').map(({ decision }) => decision)
}

it.each(sampled(TABLE, 1))('what runs in the mode %s: %j', async (mode, runs) => {
  const names = Object.keys(CALLS) as Name[]
  const server = await serveTurns((request) =>
    isJudge(request)
      ? { say: '{"decision":"block","reason":"not mine"}' }
      : (CALLS[names[turnOf(request)] ?? 'a note to itself'] ?? finish).turn,
  )
  const run = await runCli(['x', '--max-turns', String(names.length)], {
    server,
    files: { 'there.txt': 'hello' },
    policy: { permissions: permissions(mode) },
  })
  const ran = names.filter((_, index) => decisionsOf(run)[index] === 'allow')
  const made = names.filter(
    (name) => CALLS[name].made !== undefined && existsSync(join(run.project, CALLS[name].made ?? '')),
  )
  expect(ran).toEqual(runs)
  expect(made).toEqual(runs.filter((name) => CALLS[name].made !== undefined))
})

it('auto mode never asks its judge about an ask rule, a deny rule, a protected file or an unknown command', {
  tags: 'long',
}, async () => {
  const names = [
    ...(['a command that is to be asked for', 'a command that is denied'] as const),
    ...(['an edit of a protected file', 'a command that cannot be known'] as const),
  ]
  const asked: RecordedRequest[] = []
  const server = await serveTurns((request) => {
    if (!isJudge(request)) {
      const name = names[turnOf(request)]
      return name === undefined ? finish : CALLS[name].turn
    }
    asked.push(request)
    return { status: 400, errorMessage: 'nobody expected this question' }
  })
  const policy = { permissions: permissions('auto') }
  const run = await runCli(['tidy the folder'], { server, policy, files: { 'there.txt': 'a secret plan' } })
  expect(asked).toEqual([])
  expect(decisionsOf(run).slice(0, 4)).toEqual(Array(4).fill('deny'))
})
