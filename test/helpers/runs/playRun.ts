import type { Turn } from '../../../src/model/replay/renderTurn.ts'
import type { MessagesServer, Step } from '../model/messagesServer.ts'
import { serveTurns } from '../model/serveTurns.ts'
import { type CliOptions, type CliRun, runCli, type StartedCli, startCli } from './cliRun.ts'

export type PlayedCall = {
  readonly name: string
  readonly input: Readonly<Record<string, unknown>>
  readonly id?: string
}

/** What the model answers: a call, several calls in one message, or anything else that the server can do. */
export type Played = PlayedCall | readonly PlayedCall[] | Turn | Step

export type PlayOptions = CliOptions & {
  readonly args?: readonly string[]
  /** Instead of `do it`; null: none. */
  readonly prompt?: string | null
  /** Instead of one `Finish` after the last answer. */
  readonly last?: Turn
  /** Strings that must not be in any request. */
  readonly canaries?: readonly string[]
}

/** A finished run, and what its model was told. */
export type PlayedRun = CliRun & {
  readonly api: MessagesServer
  /** The text of every tool result that the model got, in the order of its calls. */
  readonly told: readonly string[]
}

export const bash = (command: string, more: object = {}): PlayedCall => ({ name: 'Bash', input: { command, ...more } })
export const read = (file_path: string, more: object = {}): PlayedCall => ({
  name: 'Read',
  input: { file_path, ...more },
})
export const write = (file_path: string, content = 'x'): PlayedCall => ({
  name: 'Write',
  input: { file_path, content },
})
export const edit = (file_path: string, old_string: string, new_string: string): PlayedCall => ({
  name: 'Edit',
  input: { file_path, old_string, new_string },
})

export const FINISH: Turn = { tools: [{ name: 'Finish', input: { status: 'completed', summary: 'done' } }] }

/** Starts the built command line with a loopback API that gives these answers one after the other. */
export async function startPlay(
  answers: readonly Played[],
  options: PlayOptions = {},
): Promise<StartedCli & { readonly api: MessagesServer }> {
  const api = await serve(answers, options)
  return { ...startCli(wordsOf(options), { server: api, ...options }), api }
}

/** Runs the command line against such an API to its end. */
export async function playRun(answers: readonly Played[], options: PlayOptions = {}): Promise<PlayedRun> {
  const api = await serve(answers, options)
  const run = await runCli(wordsOf(options), { server: api, ...options })
  return { ...run, api, told: toldTo(api) }
}

const wordsOf = ({ args = [], prompt = 'do it' }: PlayOptions) => (prompt === null ? args : [...args, prompt])

function serve(answers: readonly Played[], { last = FINISH, canaries = [] }: PlayOptions): Promise<MessagesServer> {
  return serveTurns({ canaries }, ...answers.map(stepOf), last, last)
}

function stepOf(answer: Played): Turn | Step {
  return Array.isArray(answer) || 'name' in answer ? { tools: [answer].flat() } : (answer as Turn | Step)
}

/** The tool results in the server's last request. */
export function toldTo(api: MessagesServer): string[] {
  return resultsIn(api.requests.at(-1)?.body.messages)
}

type Block = { readonly type: string; readonly content?: unknown; readonly text?: string }

/** The texts of tool results in messages as they came over the wire. */
export function resultsIn(messages: readonly { readonly content: readonly Block[] }[] = []): string[] {
  return messages
    .flatMap((message) => message.content)
    .filter((block) => block.type === 'tool_result')
    .map(({ content }) =>
      typeof content === 'string'
        ? content
        : (content as Block[]).map((block) => block.text ?? `[${block.type}]`).join('\n'),
    )
}
