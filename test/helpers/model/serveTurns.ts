import { onTestFinished } from 'vitest'
import type { Turn } from '../../../src/model/replay/renderTurn.ts'
import { CLI_TEST_KEY } from '../runs/cliRun.ts'
import {
  type MessagesServer,
  type MessagesServerOptions,
  type RecordedRequest,
  type Step,
  startMessagesServer,
} from './messagesServer.ts'

type TurnFor = (request: RecordedRequest) => Turn | Step

/** A model server that gives these answers, one a request. It is checked and closed when the test ends. */
export async function serveTurns(
  ...given: readonly [TurnFor] | readonly [MessagesServerOptions, ...(Turn | Step)[]] | readonly (Turn | Step)[]
): Promise<MessagesServer> {
  const [first] = given
  const options = first !== undefined && 'canaries' in first ? first : {}
  const turns = (options === first ? given.slice(1) : given) as readonly (Turn | Step)[]
  const steps =
    typeof first === 'function' ? (request: RecordedRequest): Step => toStep(first(request)) : turns.map(toStep)
  const server = await startMessagesServer(steps, { ...options, canaries: [CLI_TEST_KEY, ...(options.canaries ?? [])] })
  onTestFinished(() => server.close())
  return server
}

/** A turn has words, calls or a stop reason; anything else is a step of the server: a status, raw bytes, a cut. */
export function toStep(given: Turn | Step): Step {
  return 'say' in given || 'tools' in given || 'stop' in given ? { turn: given as Turn } : (given as Step)
}

/** A turn with one tool call. */
export function call(name: string, input: Readonly<Record<string, unknown>>): Turn {
  return { tools: [{ name, input }] }
}

/** All texts and tool results of a request's last message. */
export function textsOf(request: RecordedRequest | undefined): string {
  const content: readonly { readonly text?: string; readonly content?: unknown }[] =
    request?.body.messages.at(-1).content ?? []
  return content.map((block) => block.text ?? JSON.stringify(block.content)).join('\n')
}
