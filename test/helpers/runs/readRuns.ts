import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { isObject } from '../../../src/lib/isObject.ts'
import { ownIdentity } from '../../../src/lib/process/processIdentity.ts'
import type { Turn } from '../../../src/model/replay/renderTurn.ts'
import { commitAll } from '../git.ts'
import { PNG } from '../images.ts'
import type { Step } from '../model/messagesServer.ts'
import { stubServer } from '../tools/testMcp.ts'
import type { GoldenRun } from './goldenRun.ts'

/** The rules, servers and hooks of a policy, and the rest of it; or `none`. */
type OfPolicy = {
  readonly [Part in 'allow' | 'deny' | 'servers' | 'hooks']?: object | undefined
} & { readonly policy?: object | 'none' | undefined }

/** A run in a file: the fields of `GoldenRun`, and some that are shorter to write. */
type Written = Omit<GoldenRun, 'policy' | 'args' | 'stdin' | 'files' | 'answers' | 'edit' | 'next' | 'prepare'> &
  OfPolicy & {
    /** One text, where no argument has a blank. What is no text is JSON. */
    readonly args?: string | readonly unknown[]
    readonly stdin?: string | readonly object[]
    /** What is no text is JSON. */
    readonly files?: Readonly<Record<string, unknown>>
    /** True: the files are committed. */
    readonly commit?: boolean
    /** Runs after that in bash, with a picture in `PNG` and this process in `IDENTITY`. */
    readonly prepare?: string
    readonly answers?: readonly unknown[]
    /** What takes the place of the first match of each pattern. */
    readonly edit?: Readonly<Record<string, string>>
    /** Each has the policy of the run before it, unless it names parts of its own. */
    readonly next?: readonly Written[]
  }

/** The inputs of tools that can be written as words in this order: `Bash: ls`, `Write: [a.txt, hello]`. */
const PARAMETERS: Readonly<Record<string, readonly string[]>> = {
  ...{ Agent: ['subagent_type', 'prompt', 'description'], Architect: ['prompt'], Bash: ['command'] },
  ...{ AskExpertModel: ['question', 'context'], Edit: ['file_path', 'old_string', 'new_string'] },
  ...{ EnterWorktree: ['name'], ExitPlanMode: ['plan'], Finish: ['status', 'summary'], KillShell: ['shell_id'] },
  ...{ LS: ['path'], MemoryRead: ['file_path'], MemoryWrite: ['file_path', 'content'], Read: ['file_path'] },
  ...{ Skill: ['skill', 'args'], TaskCreate: ['subject'], Think: ['thought'], ToolSearch: ['query'] },
  ...{ Write: ['file_path', 'content'] },
}

/** The runs of a file by their names. `usually` has what a run has that says nothing of it; `.name` is no run. */
export function readRuns(file: string): Readonly<Record<string, GoldenRun>> {
  const { usually = {}, ...rows } = parse(readFileSync(file, 'utf8'), { merge: true }) as Record<string, Written>
  const named = Object.entries(rows).filter(([name]) => !name.startsWith('.'))
  return Object.fromEntries(named.map(([name, row]) => [name, runOf({ ...usually, ...row })]))
}

function runOf({ allow, deny, policy, servers, hooks, ...written }: Written): GoldenRun {
  const { args = [], stdin, files, commit, prepare, answers, edit, next, ...rest } = written
  const before = { allow, deny, policy, servers, hooks }
  return {
    ...rest,
    ...(policy !== 'none' && { policy: policyOf(before) }),
    args: typeof args === 'string' ? args.split(' ') : args.map(textOf),
    ...(stdin !== undefined && { stdin: typeof stdin === 'string' ? stdin : stdin.map(messageOf).join('') }),
    ...(files && { files: Object.fromEntries(Object.entries(files).map(([path, text]) => [path, textOf(text)])) }),
    prepare(project) {
      if (commit) commitAll(project)
      const env = { ...process.env, PNG: PNG.toString('base64'), IDENTITY: JSON.stringify(ownIdentity()) }
      if (prepare !== undefined) execFileSync('bash', ['-ec', prepare], { cwd: project, env })
    },
    ...(answers && { answers: answers.flatMap(answersOf) }),
    ...(edit && { edit: (record) => edited(record, edit) }),
    ...(next && { next: next.map((each) => runOf({ ...before, ...each })) }),
  }
}

function policyOf({ allow, deny, policy, servers, hooks }: OfPolicy): Readonly<Record<string, unknown>> {
  return {
    ...(allow && { permissions: { allow, ...(deny && { deny }) } }),
    ...(servers && { mcpServers: serversOf(servers) }),
    ...(policy as object | undefined),
    ...(hooks && { hooks: Object.fromEntries(Object.entries(hooks).flatMap(hooksOf)) }),
  }
}

/** A list is a stub: what it does, an argument, more of its settings. */
function serversOf(servers: object): object {
  const entries = Object.entries(servers)
  return Object.fromEntries(
    entries.map(([name, server]) => [name, Array.isArray(server) ? stubServer(...(server as [])) : server]),
  )
}

/** The hooks of one event or several, `PreToolUse(Bash)` for a matcher. `EVENT` in a command is the event. */
function hooksOf([key, hooks]: [string, unknown]): [string, object[]][] {
  return key.split(' ').map((word) => {
    const [, event = '', matcher] = /^(\w+)(?:\((\w+)\))?$/.exec(word) ?? []
    const of = [hooks].flat().map((hook) => hookOf(hook as string | Record<string, unknown>, event))
    return [event, [{ ...(matcher && { matcher }), hooks: of }]]
  })
}

/** `run` is a command, `prints` what it prints, `adds` what it prints for this event. */
function hookOf(given: string | Readonly<Record<string, unknown>>, event: string): object {
  if (typeof given === 'string') return { type: 'command', command: given.replaceAll('EVENT', event) }
  const { run, adds, prints, ...more } = given
  const said = adds === undefined ? prints : { hookSpecificOutput: { hookEventName: event, ...(adds as object) } }
  if (run === undefined && said === undefined) return given
  return { type: 'command', command: run ?? `printf '%s' '${textOf(said)}'`, ...more }
}

/** What the user says, `user`, or what the caller asks, `ask`, as the Agent SDK writes it. */
function messageOf(message: { readonly user?: unknown; readonly ask?: readonly unknown[] }): string {
  const [request_id, request] = message.ask ?? []
  const { user: content } = message
  const written =
    content !== undefined
      ? { type: 'user', message: { role: 'user', content }, parent_tool_use_id: null }
      : request !== undefined
        ? { type: 'control_request', request_id, request }
        : message
  return `${JSON.stringify(written)}\n`
}

function textOf(given: unknown): string {
  if (typeof given === 'string') return given
  const { mcpServers, ...more } = given as { readonly mcpServers?: object }
  return JSON.stringify(mcpServers === undefined ? given : { mcpServers: serversOf(mcpServers), ...more })
}

/** Calls and other fields of an answer, in a list where it calls a tool twice; or a text. `times` is how often it comes. */
function answersOf(given: unknown): (Turn | Step)[] {
  if (typeof given === 'string') return [{ say: repeated(given) }]
  const tools = callsOf(given)
  const fields = Object.entries(Object.assign({}, ...[given].flat())).filter(([name]) => !CALL.test(name))
  const { times = 1, say, turn, ...more } = Object.fromEntries(fields) as Record<string, never>
  const answer = {
    ...more,
    ...(say !== undefined && { say: repeated(say) }),
    ...(turn !== undefined && { turn: answersOf(turn)[0] }),
    ...(tools.length > 0 && { tools }),
  }
  return Array.from({ length: times }, () => answer)
}

const CALL = /^[A-Z]|_/

/** The calls of one answer. */
export function callsOf(given: unknown): { readonly name: string; readonly input: Record<string, unknown> }[] {
  const entries = [given].flat().flatMap((part) => Object.entries(part as object))
  return entries.filter(([name]) => CALL.test(name)).map(([name, words]) => ({ name, input: inputOf(name, words) }))
}

const repeated = (text: string) => text.replace(/^(.*) × (\d+)$/s, (_, part: string, times) => part.repeat(times))

function inputOf(name: string, words: unknown): Record<string, unknown> {
  const parts = [words].flat().map((word, at) => (isObject(word) ? word : { [PARAMETERS[name]?.[at] ?? '']: word }))
  return words === null ? {} : Object.assign({}, ...parts)
}

function edited(record: string, edit: Readonly<Record<string, string>>): string {
  const put = (text: string) => text.replace('IDENTITY', () => JSON.stringify(ownIdentity()))
  return Object.entries(edit).reduce((all, [from, to]) => all.replace(new RegExp(from, 'm'), () => put(to)), record)
}
