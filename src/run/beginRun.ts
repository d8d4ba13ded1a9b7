import { RunError } from '../contracts/errors.ts'
import type { RunEvent } from '../contracts/events.ts'
import { joinMessage, type UserContent } from '../contracts/messages.ts'
import { linesOf, withOutputs } from '../lib/text/fillTemplate.ts'
import { briefPolicy } from '../policy/explain/briefPolicy.ts'
import { hookContext, userEvent } from '../query/Loop.ts'
import { runCommands } from '../query/runTools/runCommands.ts'
import type { Loop, LoopEnd } from '../query.ts'
import { type Resumed, resultOf } from './resume/loadResumed.ts'
import type { Session } from './Session.ts'

/** Sends the agent its task, after the hooks that may extend or refuse it; a resumed one also what has changed. */
export async function* beginRun(
  session: Session,
  loop: Loop,
): AsyncGenerator<RunEvent, LoopEnd | undefined, undefined> {
  const { hooks, signal, pending, resumed, newPrompt } = session
  if (resumed !== undefined) yield resumed.event
  const started = await hooks?.sessionStart(resumed === undefined ? 'startup' : 'resume', signal)
  const isOver = signal.aborted || started?.stop !== undefined || newPrompt === ''
  const submitted = isOver ? undefined : await hooks?.userPromptSubmit(newPrompt, signal)
  yield* pending.splice(0)
  if (signal.aborted) return { ...reasonOf(signal), result: '' }
  const stop = started?.stop ?? submitted?.stop ?? (submitted?.decision === 'deny' ? submitted.reason : undefined)
  if (stop !== undefined) return { reason: 'stopped_by_hook', detail: stop, result: '' }
  const added = [started, submitted].flatMap((said) => hookContext(said?.additionalContext))
  const lines = linesOf(session.template)
  const rendered = withOutputs(session.template, yield* runCommands(lines, loop.runner, `command_${session.runId}`))
  const task = (text: string) => text.replace(newPrompt, () => rendered)
  const isNew = resumed === undefined || resumed.messages.length === 0
  const texts = isNew
    ? [session.instructions, ...added, task(session.prompt)]
    : [session.isNextMessage ? NEXT_MESSAGE : howItStands(session, resumed), ...added, rendered]
  const content: UserContent[] = [
    ...(resumed === undefined ? [] : resumed.open.map((call) => resultOf(call, resumed.event.interrupted))),
    ...(session.place.cwd === session.config.cwd ? [] : [inWorktree(session)]),
    ...textOf(texts),
    ...session.attachments,
    { type: 'text', text: isNew ? `${session.environmentNote}\n${briefOf(session)}` : session.environmentNote },
  ]
  joinMessage(loop.messages, { role: 'user', content })
  yield userEvent(loop, content)
  return undefined
}

/** None where there is nothing to say, as in a message that is only an image: the API takes no empty text. */
function textOf(texts: readonly string[]): UserContent[] {
  const text = texts.filter((each) => each !== '').join('\n\n')
  return text === '' ? [] : [{ type: 'text', text }]
}

function inWorktree({ place, config }: Session): UserContent {
  const text = `You work in ${place.cwd}, a git worktree at the last commit of ${config.cwd}; what was not committed there is not here. Your changes are kept as a patch when you end.`
  return { type: 'text', text }
}

const NEXT_MESSAGE =
  'Background commands and sub-agents of before have ended. Read a file again before you edit it. The next message:'

export function reasonOf({ reason }: AbortSignal): Pick<LoopEnd, 'reason' | 'detail'> {
  if (reason instanceof RunError) return { reason: reason.reason, detail: reason.message }
  throw reason
}

function howItStands(session: Session, { event, ended, policySha256 }: Resumed): string {
  const { config, policy } = session
  const lines = [
    `The run was ended (${event.from.exit_reason ?? 'killed, without a last record'}) and continues now from where it was.`,
    `You are in ${config.cwd}. Files may have changed since: read a file again before you edit it.`,
    'Earlier background commands, sub-agents and loaded pages are gone.',
    ...ended.map((line) => `An earlier process was still running: ${line}.`),
    ...(policySha256 === policy.sha256
      ? []
      : [
          'The policy has changed: what was denied may be allowed now, and what was allowed may be denied.',
          briefOf(session),
        ]),
  ]
  return `<resumed>\n${lines.join('\n')}\n</resumed>`
}

/** The part of the first message on what may start, what may change, what is hidden and which checks must pass. */
export function briefOf({ policy, config, children, place }: BriefParts): string {
  const mayEditAll = config.audit || place.mode === 'acceptEdits' || place.mode === 'auto'
  const { network, landlock } = children.sandbox
  return briefPolicy(policy, {
    network: network.mode,
    mayEditAll,
    isPlan: place.mode === 'plan',
    hasOwnTemporary: landlock !== undefined,
  })
}

type BriefParts = Pick<Session, 'policy' | 'config' | 'children' | 'place'>
