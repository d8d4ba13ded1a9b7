import { expect, onTestFinished } from 'vitest'
import type { AssistantMessage } from '../../../src/contracts/messages.ts'
import { type ModelClient, ModelError, type ModelEvent, type ModelRequest } from '../../../src/contracts/model.ts'
import { type ClientOptions, createAnthropicClient } from '../../../src/model/createAnthropicClient.ts'
import {
  type MessagesServer,
  type MessagesServerOptions,
  type Step,
  type StepFor,
  startMessagesServer,
} from './messagesServer.ts'

export const TEST_KEY = 'sk-ant-test-0123456789abcdefghij'

/** Limits short enough for a test, with pings allowed for longer than silence. */
export const SHORT_TIMERS = { connectMs: 800, firstByteMs: 800, idleMs: 800, pingOnlyMs: 2400 }

export type StartedModel = { readonly client: ModelClient; readonly server: MessagesServer }

/** A scripted server and a client for it that waits for no retry; both end with the test. */
export async function startModel(
  steps: readonly Step[] | StepFor,
  options: Partial<ClientOptions> = {},
  serverOptions: MessagesServerOptions = {},
): Promise<StartedModel> {
  const server = await startMessagesServer(steps, { canaries: [TEST_KEY], ...serverOptions })
  const client = createAnthropicClient({
    apiKey: TEST_KEY,
    baseURL: server.url,
    waitScale: 0,
    random: () => 0,
    ...options,
  })
  onTestFinished(async () => {
    await client.close()
    await server.close()
  })
  return { client, server }
}

/** A small request; its one message is the task. */
export function modelRequest(changes: Partial<ModelRequest> = {}): ModelRequest {
  return {
    model: 'claude-sonnet-5-5',
    system: 'You are a test.',
    tools: [{ name: 'Read', description: 'Reads.', input_schema: { type: 'object', properties: {} } }],
    messages: [{ role: 'user', content: [{ type: 'text', text: 'the task' }] }],
    maxTokens: 1000,
    ...changes,
  }
}

export type Collected = {
  readonly events: readonly ModelEvent[]
  /** Throws where the stream had none. */
  readonly message: AssistantMessage
  /** What the stream threw, if it did. */
  readonly error: unknown
}

/** Reads a stream to its end; what it throws is in the result. */
export async function collect(stream: AsyncGenerator<ModelEvent, void, undefined>): Promise<Collected> {
  const events: ModelEvent[] = []
  let error: unknown
  try {
    for await (const event of stream) events.push(event)
  } catch (thrown) {
    error = thrown
  }
  return {
    events,
    error,
    get message() {
      const last = events.at(-1)
      if (last?.type === 'message') return last.message
      throw error ?? new Error('the stream ended without a message')
    },
  }
}

/** Asks once, with `modelRequest`. */
export async function ask(client: ModelClient, changes: Partial<ModelRequest> = {}): Promise<Collected> {
  return await collect(client.stream(modelRequest(changes), new AbortController().signal))
}

/** The waits before another attempt. */
export function retriesIn(events: readonly ModelEvent[]) {
  return events.filter((event) => event.type === 'retry')
}

/** The error as what it must be. */
export function errorOf(error: unknown): ModelError {
  expect(error).toBeInstanceOf(ModelError)
  return error as ModelError
}
