import type { BackgroundCommand } from '../contracts/commands.ts'
import { type RunEvent, warning } from '../contracts/events.ts'
import { interrupted } from './askModel.ts'
import { endWith, hookContext, type Loop, type LoopEnd, tellAgent } from './Loop.ts'

const MAX_STOP_ROUNDS = 8
const MAX_NUDGES = 2
const MAX_STEPS = 20

/**
 * Handles an agent that stopped calling tools. New answers of background agents send it back. So do an empty answer, a
 * missing `Finish`, open steps of its list and a Stop hook, each a limited number of times. Otherwise the run ends: as blocked if calls were
 * denied and the agent did not report its status, else as completed.
 */
export async function* endTurn(text: string, loop: Loop): AsyncGenerator<RunEvent, LoopEnd | undefined, undefined> {
  const { state } = loop
  if (text.trim() === '') {
    if (++state.emptyAnswers > 1) return endWith(loop, 'empty_answer', 'The model gave an empty answer twice.')
    yield* tellAgent(loop, 'Your last answer was empty. Continue with the task, or call Finish if you are done.')
    return undefined
  }
  if (yield* awaitAnswers(loop)) return undefined
  const wanted = loop.mustFinish()
  if (wanted !== undefined) {
    if (++state.nudges > MAX_NUDGES) return unfinished(loop)
    yield* tellAgent(loop, wanted)
    return undefined
  }
  const steps = loop.openSteps()
  if (steps.length > 0 && !state.hasHeardOfSteps) {
    state.hasHeardOfSteps = true
    const list = steps.slice(0, MAX_STEPS).join('; ')
    yield* tellAgent(loop, `Steps of your list are open: ${list}. Continue with them, or say why you do not.`)
    return undefined
  }
  const sentBack = yield* askStopHooks(text, loop)
  if (sentBack !== 'end') return sentBack
  return loop.limits.totals().denials > 0 && loop.agent === undefined && state.nudges > 0
    ? endWith(loop, 'blocked', 'Calls were denied, and the agent did not say whether the task is done.')
    : endWith(loop, 'completed', `The agent ended its turn${openSteps(loop)}.`)
}

/** After a call of `Finish`. A background agent or a Stop hook may send the agent back: its report is discarded. */
export async function* endFinished(loop: Loop): AsyncGenerator<RunEvent, LoopEnd | undefined, undefined> {
  const report = loop.finished()
  if (report === undefined) return undefined
  if (yield* awaitAnswers(loop, report.status === 'completed')) {
    loop.reopen()
    yield* tellAgent(loop, 'This arrived after you called Finish. Take it into account, then call Finish again.')
    return undefined
  }
  loop.state.lastText = report.summary
  if (report.schemaProblem !== undefined)
    return {
      ...endWith(loop, 'schema_failed', `The agent could not repair its output: ${report.schemaProblem}`),
      output: report.output,
    }
  const sentBack = yield* askStopHooks(report.summary, loop)
  if (sentBack === 'end') {
    const { reason, detail } = FINISHED[report.status]
    return { ...endWith(loop, reason, `${detail}${openSteps(loop)}.`), output: report.output }
  }
  loop.reopen()
  return sentBack
}

const FINISHED = {
  completed: { reason: 'completed', detail: 'The agent finished the task' },
  blocked: { reason: 'blocked', detail: 'The agent reports that it could not do the task within the policy' },
  failed: { reason: 'task_failed', detail: 'The agent reports that it failed' },
} as const

function openSteps(loop: Loop): string {
  const { length } = loop.openSteps()
  return length === 0 ? '' : length === 1 ? '; one of its steps is open' : `; ${length} of its steps are open`
}

function unfinished(loop: Loop): LoopEnd {
  return loop.limits.totals().denials > 0
    ? endWith(loop, 'blocked', 'Calls were denied, and the agent did not call Finish.')
    : endWith(loop, 'task_failed', 'The agent did not call Finish, which the policy or the output schema requires.')
}

async function* askStopHooks(
  text: string,
  loop: Loop,
): AsyncGenerator<RunEvent, LoopEnd | undefined | 'end', undefined> {
  const { hooks, agent, state, signal } = loop
  if (hooks === undefined) return 'end'
  const stop = { isActive: state.stopHookRounds > 0, lastMessage: text }
  const verdict = agent === undefined ? await hooks.stop(stop, signal) : await hooks.subagentStop(agent, stop, signal)
  yield* loop.drain()
  if (signal.aborted) return interrupted(loop)
  if (verdict.stop !== undefined) return endWith(loop, 'stopped_by_hook', verdict.stop)
  if (verdict.isFailure) return endWith(loop, 'stop_hook_failed', `${verdict.hook}: ${verdict.reason}`)
  if (verdict.decision !== 'deny') return 'end'
  if (++state.stopHookRounds > MAX_STOP_ROUNDS) {
    return endWith(
      loop,
      'stop_hook_loop',
      `A Stop hook sent the agent back ${MAX_STOP_ROUNDS} times: ${verdict.reason}`,
    )
  }
  yield* tellAgent(loop, verdict.reason || 'A Stop hook says that you are not done.')
  return undefined
}

type Answers = AsyncGenerator<RunEvent, boolean, undefined>

/** Sends the agent the new answers of its background agents, and what async hooks said; false if there are none. */
export async function* deliverAnswers(loop: Loop): Answers {
  const late = (loop.agent === undefined && loop.hooks?.takeLate()) || []
  const answers = [...(loop.background?.take() ?? []), ...hookContext(late)]
  if (answers.length === 0) return false
  yield* tellAgent(loop, answers.join('\n\n'))
  return true
}

/**
 * The same after all of them have answered, and its background commands have ended or were waited for: an agent is not
 * done before it knows how its work ended. A command that it knows to be running no longer holds it back. `isDone` is
 * false for an agent that gives up.
 */
async function* awaitAnswers(loop: Loop, isDone = true): Answers {
  await loop.background?.settled()
  const hasAnswers = yield* deliverAnswers(loop)
  return (isDone && (yield* awaitCommands(loop))) || hasAnswers
}

const MAX_OUTPUT = 4_000

async function* awaitCommands(loop: Loop): Answers {
  const { commands, state, signal } = loop
  if (commands === undefined) return false
  const isOpen = (each: BackgroundCommand) => each.untold() === 'running' && !state.leftRunning.has(each.id)
  const open = commands.listBackground().filter((each) => each.untold() === 'ended' || isOpen(each))
  if (open.length === 0) return false
  const running = open.filter(isOpen)
  if (running.length > 0) {
    const names = running.map(({ id, command }) => `${id} (${command.slice(0, 80)})`).join(', ')
    const message = `The agent is done. Waiting up to ${Math.round(commands.waitMs / 1000)} s for ${names}.`
    yield warning('background', message)
    await Promise.all(running.map((each) => each.wait(commands.waitMs, signal)))
  }
  yield* tellAgent(loop, open.map((each) => describe(each, state)).join('\n\n'))
  return true
}

function describe(each: BackgroundCommand, { leftRunning }: Loop['state']): string {
  const { state, exitCode } = each.status()
  const { stdout, stderr } = each.readNew()
  const output = `${stdout}${stderr}`.trimEnd()
  const shown = output.length > MAX_OUTPUT ? `[…]\n${output.slice(-MAX_OUTPUT)}` : output
  const words = output === '' ? 'It printed nothing new.' : `Its last output:\n${shown}`
  if (state !== 'running') return `${each.id} (${each.command}) has ended: ${state}, exit code ${exitCode}. ${words}`
  leftRunning.add(each.id)
  return `${each.id} (${each.command}) still runs, and is ended when you finish. ${words}`
}
