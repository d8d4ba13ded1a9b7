import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { type RecordedRequest, startMessagesServer } from '../../test/helpers/model/messagesServer.ts'
import { resultsIn } from '../../test/helpers/runs/playRun.ts'
import { FILES } from './files.ts'
import type { Input } from './inputs/makeInputs.ts'

/** What one call came to: what the model was told, whether as an error, and the files that it changed. */
export type Played = {
  readonly text: string
  readonly isError: boolean
  readonly changed: Readonly<Record<string, string | null>>
}

export type Program = {
  readonly file: string
  readonly args: (project: string) => readonly string[]
  readonly env: (url: string, home: string) => Readonly<Record<string, string>>
}

/** The prompt of the run, by which its conversation is told from those of agents and from calls beside it. */
export const PROMPT = 'Play the inputs.'

type Block = { readonly type: string; readonly is_error?: boolean }

/** Runs a program on a new project with a model that makes these calls one after the other. */
export async function play(program: Program, inputs: readonly Input[], folder: string): Promise<readonly Played[]> {
  const [project, home] = [join(folder, 'project'), join(folder, 'home')]
  mkdirSync(home, { recursive: true })
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(project, path)), { recursive: true })
    writeFileSync(join(project, path), text)
  }
  const git = (...words: string[]) => execFileSync('git', ['-C', project, ...words], { stdio: 'ignore' })
  git('init')
  for (const [key, value] of [
    ['user.name', 'Test'],
    ['user.email', 'test@example.com'],
  ] as const)
    git('config', key, value)
  git('add', '.')
  git('commit', '-m', 'Start')
  const site = await startSite()
  const states: Readonly<Record<string, string>>[] = []
  let last: RecordedRequest | undefined
  const answer = (request: RecordedRequest) => {
    if (!isMain(request)) return { turn: { say: 'ok' } }
    const told = resultsIn(request.body.messages)
    const done = told.length
    last = request
    states[done] ??= filesOf(project)
    const input = inputs[done]
    if (input === undefined) return { turn: { say: 'done' } }
    const id = told.map((text) => BACKGROUND.exec(text)?.[1]).findLast((each) => each !== undefined) ?? ''
    const text = JSON.stringify(input.input)
      .replaceAll('ROOT', project)
      .replaceAll('SITE', site.url)
      .replaceAll('BACKGROUND', id)
    return { turn: { tools: [{ name: input.tool, input: JSON.parse(text) }] } }
  }
  const api = await startMessagesServer(answer, { allowInvalid: true })
  const { PATH = '' } = process.env
  const child = spawn(program.file, program.args(project), {
    cwd: project,
    env: { PATH, HOME: home, TERM: 'dumb', ...program.env(api.url, home) },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 900_000,
  })
  const said: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => said.push(chunk.toString()))
  await once(child, 'close')
  await Promise.all([api.close(), site.close()])
  if (last === undefined) throw new Error(`${program.file} asked for nothing:\n${said.join('').slice(-2000)}`)
  const results = resultsIn(last.body.messages)
  const errors = blocksOf(last).map((block) => block.is_error === true)
  return results.map((text, at) => ({
    text: normalized(text.replaceAll(site.url, 'SITE'), project),
    isError: errors[at] ?? false,
    changed: changesOf(states[at] ?? {}, states[at + 1] ?? {}),
  }))
}

/** The id in what either program says of a command that it started in the background. */
const BACKGROUND = /in (?:the )?background (?:with ID:|as) (\w+)/

/** The conversation of the task; agents and everything else is asked beside it. */
function isMain({ body }: RecordedRequest): boolean {
  const hasTools = (body?.tools ?? []).some((tool: { name: string }) => tool.name === 'Bash')
  return hasTools && JSON.stringify(body.messages.slice(0, 2)).includes(PROMPT)
}

/** A web site with one page. */
async function startSite() {
  const page = '<html><head><title>Greeting</title></head><body><h1>Hello</h1><p>A <b>small</b> page.</p></body></html>'
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(page)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() }
}

function blocksOf({ body }: RecordedRequest): Block[] {
  const messages: readonly { readonly content: string | readonly Block[] }[] = body.messages
  return messages
    .flatMap(({ content }) => (typeof content === 'string' ? [] : content))
    .filter(({ type }) => type === 'tool_result')
}

function filesOf(project: string): Record<string, string> {
  const names = readdirSync(project, { recursive: true, encoding: 'utf8' }).sort()
  const files = names.filter((name) => !/^\.(?:claude|git)\b/.test(name) && statSync(join(project, name)).isFile())
  return Object.fromEntries(files.map((name) => [name, readFileSync(join(project, name), 'latin1')]))
}

/** The files of `after` that are not as they were, and those that are gone. */
function changesOf(before: Readonly<Record<string, string>>, after: Readonly<Record<string, string>>) {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  const changed = [...names].filter((name) => before[name] !== after[name])
  return Object.fromEntries(changed.sort().map((name) => [name, after[name] ?? null]))
}

/** What differs from run to run for no reason of the program's. */
function normalized(text: string, project: string): string {
  return text
    .replaceAll(project, 'ROOT')
    .replaceAll(/(?<=agentId: |to: ')\w+|(?<=Inserted cell )\w+/g, 'ID')
    .replaceAll(/(?<=duration_ms: )\d+/g, 'MS')
    .replaceAll(/<system-reminder>[\s\S]*?<\/system-reminder>/g, '')
    .replaceAll(/\/\S*\/(?:blobs|tool-results)\/\S+/g, 'BLOB')
    .replace(/\n\(searched without ripgrep: .*\)$/, '')
    .trim()
}
