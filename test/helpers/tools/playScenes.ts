import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createTaskStore } from '../../../src/context/createTaskStore.ts'
import { createTodoStore } from '../../../src/context/createTodoStore.ts'
import { loadSkills } from '../../../src/context/loadSkills.ts'
import type { EffectsReport, RefusedChange } from '../../../src/contracts/effects.ts'
import { ModelError } from '../../../src/contracts/model.ts'
import type { Subject } from '../../../src/contracts/subject.ts'
import { createFileAccess } from '../../../src/files/createFileAccess.ts'
import { parseInput } from '../../../src/query/runTools/parseInput.ts'
import {
  type BackgroundCommand,
  type CommandAccess,
  findTool,
  type NetworkResponse,
  type Tool,
  type ToolUseContext,
} from '../../../src/Tool.ts'
import { getAllBaseTools } from '../../../src/tools.ts'
import { createToolContext, runTool, type TestContext } from './toolContext.ts'

/** What a file holds: text, bytes in an encoding, the same text many times; or what is there instead of a file. */
type Content =
  | string
  | { readonly latin1?: string; readonly utf16?: string; readonly base64?: string; readonly times?: [string, number] }
  | { readonly link?: string; readonly fifo?: true; readonly folder?: true }
type Files = Readonly<Record<string, Content>>
type Answer = Partial<Omit<NetworkResponse, 'body'>> & { readonly body?: Content }

/** A folder, what the run gives, and calls in it: `{ Read: { file_path: a } }`; `put` changes files, `show` shows them. */
export type Scene = {
  readonly scene: string
  readonly files?: Files
  /** Names that no rule lets the model read. */
  readonly hidden?: readonly string[]
  readonly web?: Readonly<Record<string, Answer>>
  readonly context?: Partial<ToolUseContext>
  /** What every command of the scene changed, by relative paths. */
  readonly effects?: Partial<EffectsReport>
  readonly calls: readonly Readonly<Record<string, unknown>>[]
}

/** What the model reads of each call of a scene, what is judged of it, and what logs and reports show. */
export async function playScene(
  { scene, files = {}, hidden = [], web = {}, context: parts, effects, calls }: Scene,
  hasRipgrep = false,
) {
  const context = { ...createContext(web), ...parts }
  if (hasRipgrep) context.workingDirectories = [context.cwd]
  context.commands = commandsOf(context, effects)
  if (context.memory === null) Object.assign(context, { memory: undefined, memoryFiles: undefined })
  context.mayRead = (path) => !hidden.some((name) => path === join(context.cwd, name))
  put(context, files)
  Object.assign(context, await loadSkills([{ folder: join(context.cwd, '.claude'), files: context.files, prefix: '' }]))
  const told: string[] = []
  for (const call of calls) {
    const [[name = '', input] = []] = Object.entries(call)
    if (name === 'put') put(context, input as Files)
    else if (name === 'show') told.push(shown(context, input as string))
    else told.push(await play(name, input as Record<string, unknown>, context))
  }
  const text = told.join('\n').replaceAll(context.base, '/base').replaceAll(`/proc/${process.pid}`, '/proc/PID')
  return `## ${scene}\n\n${text.replace(/\b\d+ ms\b/g, 'N ms')}\n`
}

async function play(name: string, given: Readonly<Record<string, unknown>>, context: TestContext): Promise<string> {
  const tool = findTool(getAllBaseTools(), name)
  if (tool === undefined) throw new Error(`there is no tool ${name}`)
  const parsed = parseInput(tool, given)
  if (!parsed.ok) return `▶ ${name} ${JSON.stringify(given)}\n✗ ${parsed.message.replaceAll('\n', '\n  ')}`
  const { input, dropped } = parsed
  const { events } = context
  const before = events.length
  const { text, content, isError, step, data } = await runTool(tool, input, context)
  const blocks = typeof content === 'string' ? [] : content.filter(({ type }) => type !== 'text')
  const other = blocks.map((block) => `[${block.type} ${JSON.stringify(block).length} characters]`)
  const rendered = data === undefined ? undefined : tool.renderResult?.(data, input)
  return [
    `▶ ${name} ${JSON.stringify(given)}${dropped.length === 0 ? '' : ` without ${dropped.join(', ')}`}`,
    `  ${tool.activity(input)}; ${judged(tool, input, context)}`,
    `${isError ? '✗' : '✓'} ${step === 'call' ? '' : `(${step}) `}${[text, ...other].join('\n').replaceAll('\n', '\n  ')}`,
    ...events.slice(before).map((event) => `  ◦ ${JSON.stringify(event)}`),
    ...(rendered === undefined ? [] : [`  ┊ ${rendered.replaceAll('\n', '\n  ┊ ')}`]),
  ].join('\n')
}

/** What rules are asked about, and the tool's own facts about the call. */
function judged(tool: Tool, input: Readonly<Record<string, unknown>>, context: TestContext): string {
  const facts = [
    tool.isReadOnly(input, context) && 'reads only',
    tool.isConcurrencySafe(input, context) && 'beside others',
    tool.isDestructive(input) && 'destructive',
  ]
  return [...tool.subjects(input, context).map(subjectWords), ...facts].filter(Boolean).join(', ')
}

function subjectWords(subject: Subject): string {
  if (subject.kind === 'path') return `${subject.access} ${subject.path.resolved}`
  if (subject.kind === 'name') return `${subject.tool}(${subject.specifier ?? ''})`
  return subject.kind === 'domain' ? `fetch from ${subject.host}` : subject.kind
}

function put(context: TestContext, files: Files): void {
  for (const [name, content] of Object.entries(files)) {
    const path = join(context.cwd, name)
    mkdirSync(dirname(path), { recursive: true })
    if (typeof content === 'object' && 'link' in content) symlinkSync(content.link ?? '', path)
    else if (typeof content === 'object' && 'fifo' in content) execFileSync('mkfifo', [path])
    else if (typeof content === 'object' && 'folder' in content) mkdirSync(path)
    else {
      writeFileSync(path, bytesOf(content))
      utimesSync(path, 1_700_000_000, 1_700_000_000)
    }
  }
}

function bytesOf(content: Content): Buffer {
  if (typeof content === 'string') return Buffer.from(content)
  if ('latin1' in content) return Buffer.from(content.latin1 ?? '', 'latin1')
  if ('utf16' in content) return Buffer.from(`\ufeff${content.utf16}`, 'utf-16le')
  if ('base64' in content) return Buffer.from(content.base64 ?? '', 'base64')
  const [text, count] = 'times' in content && content.times ? content.times : ['', 0]
  return Buffer.from(text.repeat(count))
}

/** The bytes of a file, those beyond ASCII escaped. */
function shown(context: TestContext, name: string): string {
  const text = JSON.stringify(readFileSync(join(context.cwd, name), 'latin1'))
  const bytes = text.replace(/[^ -~]/g, (sign) => `\\x${sign.charCodeAt(0).toString(16)}`)
  return `  ${name} holds ${bytes}`
}

/** Real commands that say what they are told to have changed, and one in the background that ends when it is waited for. */
function commandsOf(
  { commands, cwd, events }: TestContext,
  effects: Partial<EffectsReport> | undefined,
): CommandAccess {
  const at = <Change extends { readonly path: string }>(change: Change) => ({ ...change, path: join(cwd, change.path) })
  const refused = (all: readonly RefusedChange[] = []) => all.map((each) => ({ ...each, change: at(each.change) }))
  const report: EffectsReport | undefined = effects && {
    ...{ state: 'enforced', scratch: {}, ...effects },
    ...{ kept: (effects.kept ?? []).map(at), leftOut: refused(effects.leftOut), undone: refused(effects.undone) },
  }
  let started: BackgroundCommand | undefined
  return {
    ...commands,
    run: async (request) => ({ ...(await commands.run(request)), ...(report && { effects: report }) }),
    start: ({ command }) => {
      events.push(`start ${command}` as never)
      started = backgroundOf(command)
      return started
    },
    background: (id) => (id === started?.id ? started : undefined),
    listBackground: () => (started === undefined ? [] : [started]),
  }
}

function backgroundOf(command: string): BackgroundCommand {
  let status: ReturnType<BackgroundCommand['status']> = { state: 'running', exitCode: null }
  const news = [
    { stdout: 'one\n', stderr: '' },
    { stdout: '', stderr: 'two\n' },
  ]
  return {
    ...{ id: 'bash_1', command, status: () => status, untold: () => 'running' },
    readNew: () => news.shift() ?? { stdout: '', stderr: '' },
    wait: async () => {
      status = { state: 'exited', exitCode: 3 }
    },
    kill: async () => {
      status = { state: 'killed', exitCode: null }
    },
  }
}

function createContext(web: Readonly<Record<string, Answer>>): TestContext {
  const context = createToolContext()
  const memory = join(context.base, 'memory')
  mkdirSync(memory)
  const say = (text: string): void => void context.events.push(text as never)
  return Object.assign(context, {
    // A ripgrep inside a working directory is not trusted, so the search goes on without: it is not on every machine.
    workingDirectories: [context.cwd, '/'],
    redact: (text: string) => text.replaceAll('s3cret', '[REDACTED:KEY]'),
    network: { fetch: async (url: string) => answerOf(web[url]) },
    mayFetch: (url: string) => ({ behavior: url.includes('denied') ? 'deny' : 'allow', message: `no rule for ${url}` }),
    tasks: createTaskStore(),
    todos: createTodoStore(),
    memory,
    memoryFiles: createFileAccess({ roots: [memory], forbidden: [] }),
    tools: getAllBaseTools(),
    agents: ['reviewer', 'general-purpose'].map((name) => ({
      name,
      ...{ description: '', prompt: '', source: '' },
      tools: '*',
    })),
    runAgent: async (request: { readonly prompt: string }) => {
      say(`runAgent ${JSON.stringify(request)}`)
      return { agentId: 'agent-1', text: 'All good.', isError: request.prompt === 'fail', turns: 2 }
    },
    askModel: async (question: { readonly prompt: string }) => {
      say(`askModel ${JSON.stringify(question)}`)
      if (question.prompt.includes('nobody')) throw new ModelError('model_not_found', 'config', 'there is no model x')
      return 'An answer.'
    },
    loadTools: (names: readonly string[]) => names,
    finish: (report: { readonly summary: string }) => {
      say(`finish ${JSON.stringify(report)}`)
      return report.summary === 'early' ? 'output.n is missing' : null
    },
    proposeOutput: ({ kind }: { readonly kind: string }) =>
      kind === 'label' ? 'the policy allows no labels' : undefined,
    setMode: (mode: string) => say(`mode ${mode}`),
    answers: { 'Which database?': 'SQLite' },
    mcp: {
      serversWithResources: () => ['docs', 'hr'],
      listResources: async (server: string) => (server === 'docs' ? [{ server, uri: 'x://a', name: 'a' }] : []),
      readResource: async (_: string, uri: string) => {
        if (uri !== 'x://a') throw new Error('there is no such resource')
        return [{ type: 'text', text: 'hello' }]
      },
    },
    mayListResources: (server: string) => server !== 'hr',
  }) as TestContext
}

function answerOf({ status = 200, headers = {}, body = '', isTruncated = false }: Answer = { status: 404 }) {
  return { status, headers, body: new Uint8Array(bytesOf(body)), isTruncated }
}
