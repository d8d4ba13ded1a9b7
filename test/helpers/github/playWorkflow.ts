import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parse } from 'yaml'
import { stubPrograms } from '../policy/stubPrograms.ts'
import { makeFolder, playAction, TOKEN } from './actionRun.ts'
import { parseRunnerFile } from './runnerFiles.ts'

type Step = {
  readonly id?: string
  readonly if?: string
  readonly uses?: string
  readonly run?: string
  readonly with?: Readonly<Record<string, string | number | boolean>>
  readonly env?: Readonly<Record<string, string>>
}
type Job = {
  readonly needs?: string
  readonly if?: string
  readonly outputs?: Readonly<Record<string, string>>
  readonly strategy?: { readonly matrix: Readonly<Record<string, readonly string[]>> }
  readonly steps: readonly Step[]
}

export type WorkflowOptions = {
  readonly text: string
  readonly event: { readonly name: string; readonly payload: unknown }
  readonly repository: { readonly folder: string; readonly sha: string }
  /** The script of every agent. */
  readonly replay: string
  readonly apiUrl: string
  readonly actor?: string
  readonly inputs?: Readonly<Record<string, string>>
}

/** What became of the steps, in order; `skipped` by their `if`. */
export type PlayedStep = {
  readonly job: string
  readonly step: string
  readonly code: number | 'skipped'
  readonly log: string
}

export type PlayedWorkflow = {
  readonly steps: readonly PlayedStep[]
  readonly artifacts: string
  readonly summary: string
}

type Values = Readonly<Record<string, unknown>>

/**
 * Plays a workflow as a runner would: jobs by their needs, each in a clone of its own, steps in order with their `if`,
 * expressions, artifacts. Our action runs from its `action.yml`, `run:` in bash, other actions as far as they are known.
 */
export async function playWorkflow(options: WorkflowOptions): Promise<PlayedWorkflow> {
  const { jobs } = parse(options.text) as { jobs: Readonly<Record<string, Job>> }
  const base = makeFolder('kode-run-workflow-')
  const play: Play = {
    options,
    ...{ artifacts: join(base, 'artifacts'), summary: join(base, 'summary.md'), steps: [], needs: {} },
    bin: stubPrograms(options.replay).path,
  }
  mkdirSync(play.artifacts)
  writeFileSync(play.summary, '')
  for (const [name, job] of Object.entries(jobs)) {
    const [[key, values] = ['', ['']]] = Object.entries(job.strategy?.matrix ?? {})
    for (const value of values) await playJob(name, job, { matrix: { [key]: value }, play })
  }
  return { steps: play.steps, artifacts: play.artifacts, summary: readFileSync(play.summary, 'utf8') }
}

type Play = {
  readonly options: WorkflowOptions
  readonly artifacts: string
  readonly summary: string
  readonly bin: string
  readonly steps: PlayedStep[]
  readonly needs: Record<string, { outputs: Record<string, string>; isGood: boolean }>
}

async function playJob(name: string, job: Job, { matrix, play }: { matrix: Values; play: Play }): Promise<void> {
  const { options, needs } = play
  const steps: Record<string, { outputs: Record<string, string> }> = {}
  const { event, repository, inputs = {} } = options
  const github = {
    ...{ event: event.payload, event_name: event.name, sha: repository.sha, token: TOKEN, run_id: '1' },
    actor: options.actor ?? 'maintainer',
    ...{ repository: 'octo/shop', repository_owner: 'octo', ref: 'refs/heads/main' },
  }
  let hasFailed = false
  const values = () => ({
    ...{ github, steps, needs, matrix, inputs },
    secrets: { ANTHROPIC_API_KEY: 'sk-ant-test-0123456789abcdefghij', FLEET_READ_TOKEN: 'fleet' },
    ...{ always: () => true, success: () => !hasFailed, contains, startsWith },
  })
  const isStuck = job.needs !== undefined && needs[job.needs]?.isGood !== true
  if (!isTrue(job.if ?? 'success()', values(), isStuck)) return
  const workspace = makeFolder(`kode-run-job-${name}-`)
  for (const [index, step] of job.steps.entries()) {
    const title = step.id ?? step.uses ?? step.run ?? String(index)
    const isDue = isTrue(step.if ?? 'success()', values(), hasFailed)
    const done = isDue
      ? await playStep(step, workspace, values(), play)
      : { code: 'skipped' as const, log: '', outputs: {} }
    if (step.id !== undefined) steps[step.id] = { outputs: done.outputs }
    play.steps.push({ job: name, step: title, code: done.code, log: done.log })
    hasFailed ||= typeof done.code === 'number' && done.code !== 0
  }
  const outputs = Object.entries(job.outputs ?? {}).map(([key, text]) => [key, fill(text, values())])
  // A job with a matrix is good if all of its parts are.
  needs[name] = { outputs: Object.fromEntries(outputs), isGood: !hasFailed && needs[name]?.isGood !== false }
}

type Done = { readonly code: number; readonly log: string; readonly outputs: Record<string, string> }

async function playStep(step: Step, workspace: string, values: Values, play: Play): Promise<Done> {
  const given = Object.fromEntries(
    Object.entries(step.with ?? {}).map(([name, value]) => [name, fill(String(value), values)]),
  )
  if (step.run !== undefined) return runShell(fill(step.run, values), { step, workspace, values, play })
  const [action = ''] = (step.uses ?? '').split('@')
  if (action === 'kode-run/kode-run' || action === './') return playAgent(given, workspace, play)
  const nothing = { code: 0, log: '', outputs: {} }
  if (action === 'actions/checkout') checkout(given, workspace, play.options)
  else if (action === 'actions/upload-artifact') upload(given, workspace, play.artifacts)
  else if (action === 'actions/download-artifact') download(given, workspace, play.artifacts)
  else if (!/^actions\/(setup-node|cache)$/.test(action)) throw new Error(`${step.uses} is not known here`)
  return nothing
}

async function playAgent(inputs: Record<string, string>, workspace: string, { options }: Play): Promise<Done> {
  const { replay, event, repository, apiUrl, actor } = options
  const args = `${inputs['args'] ?? ''} --replay '${replay}'`
  const run = await playAction({
    ...{ workspace, event, apiUrl, sha: repository.sha },
    ...(actor === undefined ? {} : { actor }),
    inputs: { ...inputs, args },
  })
  return { code: run.code ?? 1, log: run.log, outputs: { ...run.outputs } }
}

async function runShell(
  script: string,
  { step, workspace, values, play }: { step: Step; workspace: string; values: Values; play: Play },
): Promise<Done> {
  const output = join(workspace, '..', `${basename(workspace)}-output`)
  writeFileSync(output, '')
  const env = Object.fromEntries(Object.entries(step.env ?? {}).map(([name, text]) => [name, fill(text, values)]))
  const event = join(makeFolder('kode-run-event-'), 'event.json')
  writeFileSync(event, JSON.stringify(play.options.event.payload))
  const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], {
    cwd: workspace,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...{ PATH: `${play.bin}:${process.env['PATH']}`, HOME: workspace, GITHUB_OUTPUT: output },
      ...{ GITHUB_STEP_SUMMARY: play.summary, GITHUB_API_URL: play.options.apiUrl, GITHUB_REPOSITORY: 'octo/shop' },
      ...{
        GITHUB_EVENT_NAME: play.options.event.name,
        GITHUB_EVENT_PATH: event,
        GITHUB_SHA: play.options.repository.sha,
      },
      ...{ GITHUB_REF: 'refs/heads/main', GITHUB_ACTOR: play.options.actor ?? 'maintainer', ...env },
    },
  })
  let log = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      log += text
    })
  }
  const [code] = (await once(child, 'close')) as [number | null]
  return { code: code ?? 1, log, outputs: parseRunnerFile(readFileSync(output, 'utf8')) }
}

/** A clone, as actions/checkout leaves one; every repository is the same here. */
function checkout(given: Readonly<Record<string, string>>, workspace: string, { repository }: WorkflowOptions): void {
  const target = join(workspace, given['path'] ?? '.')
  const git = (...args: string[]) => execFileSync('git', args, { stdio: 'ignore' })
  git('clone', '--quiet', '--no-local', repository.folder, target)
  git('-C', target, 'checkout', '--quiet', '--detach', given['ref'] ?? repository.sha)
}

function upload(
  { name = '', path = '' }: Readonly<Record<string, string>>,
  workspace: string,
  artifacts: string,
): void {
  const file = path.startsWith('/') ? path : join(workspace, path)
  cpSync(file, join(artifacts, name, basename(file)))
}

function download(
  { name, pattern, path = '.' }: Readonly<Record<string, string>>,
  workspace: string,
  artifacts: string,
) {
  if (name !== undefined) return cpSync(join(artifacts, name), join(workspace, path), { recursive: true })
  const [start = ''] = (pattern ?? '*').split('*')
  for (const folder of readdirSync(artifacts).filter((entry) => entry.startsWith(start))) {
    cpSync(join(artifacts, folder), join(workspace, path, folder), { recursive: true })
  }
}

function fill(text: string, values: Values): string {
  return text.replace(/\$\{\{(.*?)\}\}/gs, (_all, expression: string) => String(evaluate(expression, values) ?? ''))
}

/** A step goes on after a failure only where it says `always()`. */
function isTrue(text: string, values: Values, hasFailed: boolean): boolean {
  if (hasFailed && !text.includes('always()')) return false
  return Boolean(evaluate(text.replace(/^\$\{\{(.*)\}\}$/s, '$1'), values))
}

/** GitHub's expressions as far as they are JavaScript: names with dots, strings in single quotes, `== != && || !`, calls. */
function evaluate(expression: string, values: Values): unknown {
  const safe = expression.replace(/\.(\w[\w-]*)/g, '?.["$1"]')
  return new Function(...Object.keys(values), `return (${safe})`)(...Object.values(values))
}

function contains(text: string, part: string): boolean {
  return String(text ?? '')
    .toLowerCase()
    .includes(part.toLowerCase())
}

function startsWith(text: string, part: string): boolean {
  return String(text ?? '')
    .toLowerCase()
    .startsWith(part.toLowerCase())
}
