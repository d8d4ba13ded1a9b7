import type { BackgroundCommand } from '../contracts/commands.ts'
import type { RunEvent } from '../contracts/events.ts'
import { type Loop, tellAgent } from './Loop.ts'

type Answers = AsyncGenerator<RunEvent, boolean, undefined>

/** Sends the agent the new answers of its background agents, and what async hooks said; false if there are none. */
export async function* deliverAnswers(loop: Loop): Answers {
  const late = (loop.agent === undefined && loop.hooks?.takeLate()) || []
  const said = late.map((text) => `<hook-context>\n${text}\n</hook-context>`)
  const answers = [...(loop.background?.take() ?? []), ...said]
  if (answers.length === 0) return false
  yield* tellAgent(loop, answers.join('\n\n'))
  return true
}

/**
 * The same after all of them have answered, and its background commands have ended or were waited for: an agent is not
 * done before it knows how its work ended. A command that it knows to be running no longer holds it back. `isDone` is
 * false for an agent that gives up.
 */
export async function* awaitAnswers(loop: Loop, isDone = true): Answers {
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
    yield { type: 'system', subtype: 'warning', code: 'background', message }
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
