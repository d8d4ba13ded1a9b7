import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type RecordedRequest, startMessagesServer } from '../../test/helpers/model/messagesServer.ts'
import { resultsIn } from '../../test/helpers/runs/playRun.ts'
import { FILES } from './files.ts'
import type { Input } from './inputs.ts'

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

type Block = { readonly type: string; readonly is_error?: boolean }

/** Runs a program on a new project with a model that makes these calls one after the other. */
export async function play(program: Program, inputs: readonly Input[], folder: string): Promise<readonly Played[]> {
  const [project, home] = [join(folder, 'project'), join(folder, 'home')]
  mkdirSync(home, { recursive: true })
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(project, path)), { recursive: true })
    writeFileSync(join(project, path), text)
  }
  const states: Readonly<Record<string, string>>[] = []
  let last: RecordedRequest | undefined
  const answer = (request: RecordedRequest) => {
    const done = resultsIn(request.body?.messages).length
    if (!isMain(request)) return { turn: { say: 'ok' } }
    last = request
    states[done] ??= filesOf(project)
    const input = inputs[done]
    if (input === undefined) return { turn: { say: 'done' } }
    const text = JSON.stringify(input.input).replaceAll('ROOT', project)
    return { turn: { tools: [{ name: input.tool, input: JSON.parse(text) }] } }
  }
  const api = await startMessagesServer(answer, { allowInvalid: true })
  const { PATH = '' } = process.env
  const child = spawn(program.file, program.args(project), {
    cwd: project,
    env: { PATH, HOME: home, TERM: 'dumb', ...program.env(api.url, home) },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 240_000,
  })
  const said: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => said.push(chunk.toString()))
  await once(child, 'close')
  await api.close()
  if (last === undefined) throw new Error(`${program.file} asked for nothing:\n${said.join('').slice(-2000)}`)
  const results = resultsIn(last.body.messages)
  const errors = blocksOf(last).map((block) => block.is_error === true)
  return results.map((text, at) => ({
    text: normalized(text, project),
    isError: errors[at] ?? false,
    changed: changesOf(states[at] ?? {}, states[at + 1] ?? {}),
  }))
}

/** The conversation of the task; everything else is asked beside it. */
function isMain({ body }: RecordedRequest): boolean {
  return (body?.tools ?? []).some((tool: { name: string }) => tool.name === 'Bash')
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
    .replaceAll(/<system-reminder>[\s\S]*?<\/system-reminder>/g, '')
    .replaceAll(/\/\S*\/(?:blobs|tool-results)\/\S+/g, 'BLOB')
    .replace(/\n\(searched without ripgrep: .*\)$/, '')
    .trim()
}
