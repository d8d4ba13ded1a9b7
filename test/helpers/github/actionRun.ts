import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { parse } from 'yaml'
import type { TranscriptRecord } from '../../../src/contracts/events.ts'
import { parseObject } from '../../../src/lib/text/json.ts'
import { writeFiles } from '../effects/makeFiles.ts'
import { gitAt } from '../git.ts'
import { makeFolder } from '../makeFolder.ts'
import { node24 } from './node24.ts'
import { parseRunnerFile } from './runnerFiles.ts'
import { parseRunnerOutput, type RunnerCommand } from './runnerParser.ts'

type ActionFile = {
  readonly inputs: Readonly<Record<string, { readonly default?: string; readonly required?: boolean }>>
  readonly outputs: Readonly<Record<string, unknown>>
  readonly runs: { readonly using: string; readonly main: string; readonly post: string }
}

export const TOKEN = 'ghs_testtoken0123456789abcdefghijklmnop'
export const KEY = 'sk-ant-test-0123456789abcdefghij'

type OnEnd = (clean: () => void) => void

export type ActionOptions = {
  /** The folder of the action; by default this repository. */
  readonly action?: string
  readonly workspace: string
  readonly inputs: Readonly<Record<string, string>>
  readonly event: { readonly name: string; readonly payload: unknown }
  readonly sha: string
  readonly ref?: string
  readonly actor?: string
  readonly triggeringActor?: string
  readonly apiUrl?: string
  readonly env?: Readonly<Record<string, string>>
  /** Takes what ends the process and removes the folders; the end of the test by default. */
  readonly onEnd?: OnEnd
  /** Called with the process once it has said something. */
  readonly onOutput?: (text: string, pid: number) => void
}

/** A step that was played as the runner plays it. */
export type ActionRun = {
  readonly code: number | null
  readonly log: string
  /** What the runner obeyed of the log. */
  readonly commands: readonly RunnerCommand[]
  readonly outputs: Readonly<Record<string, string>>
  readonly summary: string
  readonly records: readonly TranscriptRecord[]
  readonly temp: string
  /** Plays `post`, and returns what is there then. */
  post(): Promise<ActionRun>
}

/** The action's own file. */
export function readActionFile(action = '.'): ActionFile {
  return parse(readFileSync(join(action, 'action.yml'), 'utf8')) as ActionFile
}

/** Plays the action from its `action.yml`: defaults, `INPUT_…`, the runner's files, `main` under Node 24. */
export async function playAction(options: ActionOptions): Promise<ActionRun> {
  const action = options.action ?? process.cwd()
  const base = makeFolder('kode-run-action-')
  const files = Object.fromEntries(['OUTPUT', 'ENV', 'PATH', 'STATE', 'STEP_SUMMARY'].map((n) => [n, join(base, n)]))
  for (const file of Object.values(files)) writeFileSync(file, '')
  const temp = join(base, 'temp')
  mkdirSync(temp)
  writeFileSync(join(base, 'event.json'), JSON.stringify(options.event.payload))
  const file = readActionFile(action)
  const inputs = inputEnvironment(file, options.inputs)
  const environment = { ...runnerEnvironment(options, base, temp), ...inputs, ...prefixed('GITHUB', files) }
  const play = async (script: string, more: Record<string, string>): Promise<ActionRun> => {
    const { code, log } = await start(join(action, script), { ...environment, ...more }, options)
    const outputs = parseRunnerFile(readFileSync(files['OUTPUT'] ?? '', 'utf8'))
    const state = parseRunnerFile(readFileSync(files['STATE'] ?? '', 'utf8'))
    return {
      ...{ code, log, outputs, temp },
      commands: parseRunnerOutput(log),
      summary: readFileSync(files['STEP_SUMMARY'] ?? '', 'utf8'),
      records: readRecords(state['folder']),
      post: () => play(file.runs.post, prefixed('STATE', state)),
    }
  }
  return play(file.runs.main, {})
}

function prefixed(prefix: string, values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`${prefix}_${name}`, value]))
}

/** As the runner does it: declared inputs with their defaults, and whatever else `with:` says. */
function inputEnvironment({ inputs }: ActionFile, given: ActionOptions['inputs']): Record<string, string> {
  const defaults = Object.entries(inputs).map(([name, { default: value = '' }]) => [name, value])
  const all = Object.entries<string>({ ...Object.fromEntries(defaults), ...given })
  const filled = all.map(([name, value]) => [name.toUpperCase(), value.replace('${{ github.token }}', TOKEN)])
  return prefixed('INPUT', Object.fromEntries(filled))
}

function runnerEnvironment(options: ActionOptions, base: string, temp: string): Record<string, string> {
  const { event, sha, ref = 'refs/heads/main', actor = 'maintainer', workspace } = options
  return {
    PATH: process.env['PATH'] ?? '',
    ...{ HOME: base, CI: 'true', GITHUB_ACTIONS: 'true', GITHUB_EVENT_NAME: event.name },
    GITHUB_EVENT_PATH: join(base, 'event.json'),
    ...{ GITHUB_REPOSITORY: 'octo/shop', GITHUB_SHA: sha, GITHUB_REF: ref, GITHUB_ACTOR: actor },
    GITHUB_TRIGGERING_ACTOR: options.triggeringActor ?? actor,
    GITHUB_API_URL: options.apiUrl ?? 'http://127.0.0.1:9',
    GITHUB_SERVER_URL: options.apiUrl ?? 'http://127.0.0.1:9',
    ...{ GITHUB_WORKSPACE: workspace, GITHUB_RUN_ID: '1', RUNNER_TEMP: temp, RUNNER_OS: 'Linux' },
    ...{ RUNNER_TRACKING_ID: 'github_test', ACTIONS_RUNTIME_TOKEN: 'runtime-token-0123456789abcdef' },
    ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'oidc-token-0123456789abcdef',
    ...options.env,
  }
}

async function start(
  script: string,
  env: Record<string, string>,
  { workspace, onOutput, onEnd = onTestFinished }: ActionOptions,
) {
  const child = spawn(node24(), [script], { cwd: workspace, env, stdio: ['ignore', 'pipe', 'pipe'] })
  onEnd(() => void child.kill('SIGKILL'))
  let log = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      log += text
      onOutput?.(log, child.pid ?? 0)
    })
  }
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, log }
}

function readRecords(folder = ''): TranscriptRecord[] {
  const file = join(folder, 'transcript.jsonl')
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
  return lines.flatMap((line) => (parseObject(line) as TranscriptRecord | undefined) ?? [])
}

/** A git repository; each state is a commit, the last one is checked out. */
export function makeRepository(...states: readonly Readonly<Record<string, string>>[]) {
  return fillRepository(makeFolder(), states)
}

/** The same in a folder that is there. */
export function fillRepository(folder: string, states: readonly Readonly<Record<string, string>>[]) {
  const git = gitAt(folder)
  git('init', '-q', '-b', 'main')
  const commits = states.map((files) => {
    writeFiles(folder, files)
    git('add', '-A')
    git('commit', '-q', '--allow-empty', '-m', 'state')
    return git('rev-parse', 'HEAD')
  })
  return { folder, commits, git }
}
