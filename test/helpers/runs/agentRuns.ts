import type { Turn } from '../../../src/model/replay/renderTurn.ts'
import type { MessagesServer, RecordedRequest } from '../model/messagesServer.ts'
import { serveTurns } from '../model/serveTurns.ts'
import { type CliOptions, runCli } from './cliRun.ts'
import { FINISH } from './playRun.ts'

/** One call of a scripted answer. */
export type AgentCall = { readonly name: string; readonly input: Readonly<Record<string, unknown>> }
/** The answers of each conversation, known by words of its system prompt; the main loop's is `main`. */
export type AgentScript = Readonly<Record<string, readonly Turn[] | TurnFor>>
/** Its answer to the n-th request, where the main loop has made so many. */
export type TurnFor = (n: number, ofMain: number, request: RecordedRequest) => Turn

/** A call of Agent. */
export const agent = (subagent_type: string, prompt: string, more: AgentCall['input'] = {}): AgentCall => ({
  name: 'Agent',
  input: { subagent_type, prompt, description: 'a part', ...more },
})
/** An answer with these calls. */
export const calls = (...tools: readonly AgentCall[]): Turn => ({ tools })
/** An answer with one command. */
export const bash = (command: string) => calls({ name: 'Bash', input: { command } })
/** An answer in words. */
export const say = (text: string): Turn => ({ say: text })

/** Each conversation gets its own answers; its n-th request has 2n-1 messages. */
export async function playAgents(script: AgentScript, options: CliOptions & { readonly args?: readonly string[] }) {
  let ofMain = 0
  const api = await serveTurns((request) => {
    const key = Object.keys(script).find((words) => systemOf(request).includes(words)) ?? 'main'
    ofMain += key === 'main' ? 1 : 0
    const [turns, n] = [script[key], (request.body.messages.length - 1) / 2]
    const turn = typeof turns === 'function' ? turns(n, ofMain, request) : turns?.[n]
    return turn ?? (key === 'main' ? FINISH : say(`${key} has no more to say`))
  })
  const tools = ['--tools', 'Agent,Bash,LS,Read,Write']
  const run = await runCli([...tools, ...(options.args ?? []), 'the task of main'], { server: api, ...options })
  return { run, api }
}

/** The system prompt of a request. */
export function systemOf(request: RecordedRequest): string {
  return (request.body.system ?? []).map((block: { text: string }) => block.text).join('')
}

/** The requests of one conversation. */
export function requestsOf(api: MessagesServer, words: string): RecordedRequest[] {
  return api.requests.filter((request) => systemOf(request).includes(words))
}

/** The names of the tools that a request offers. */
export function toolsOf(request: RecordedRequest | undefined): string[] {
  return request?.body.tools.map((tool: { name: string }) => tool.name)
}
