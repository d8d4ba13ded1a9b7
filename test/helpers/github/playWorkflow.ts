import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parse } from 'yaml'
import { makeFolder } from '../makeFolder.ts'
import { stubPrograms } from '../policy/stubPrograms.ts'
import { playAction, TOKEN } from './actionRun.ts'
import { evaluate, fill, inside, isTrue } from './expressions.ts'
import { checkout, download, upload } from './runnerActions.ts'
import { parseRunnerFile } from './runnerFiles.ts'

type Step = {
  readonly id?: string
  readonly if?: string
  readonly uses?: string
  readonly run?: string
  readonly with?: Readonly<Record<string, string | number | boolean>>
  readonly env?: Readonly<Record<string, string>>
  readonly 'continue-on-error'?: boolean
}
type Job = {
  readonly needs?: string | readonly string[]
  readonly if?: string
  readonly outputs?: Readonly<Record<string, string>>
  readonly strategy?: { readonly matrix: Readonly<Record<string, readonly unknown[] | string>> }
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
  /** The artifacts of the first attempt; without them, this is the first. */
  readonly artifacts?: string
  /** Further programs for the front of PATH: scripts of a shell, by their names. */
  readonly programs?: Readonly<Record<string, string>>
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
type Workflow = { readonly jobs: Readonly<Record<string, Job>>; readonly env?: Readonly<Record<string, string>> }

/**
 * Plays a workflow as a runner would: jobs by their needs, each in a clone of its own, steps in order with their `if`,
 * expressions, artifacts. Our action runs from its `action.yml`, `run:` in bash, other actions as far as they are known.
 */
export async function playWorkflow(options: WorkflowOptions): Promise<PlayedWorkflow> {
  const { jobs, env = {} } = parse(options.text) as Workflow
  const base = makeFolder()
  const play: Play = {
    options,
    artifacts: options.artifacts ?? join(base, 'artifacts'),
    env,
    summary: join(base, 'summary.md'),
    steps: [],
    needs: {},
    bin: stubPrograms(options.replay).path,
  }
  mkdirSync(play.artifacts, { recursive: true })
  // Every repository is the same here; one whose name starts with "lost" cannot be read.
  const clone = `case "$3" in */lost*) exit 1 ;; esac; exec git clone --quiet -- '${options.repository.folder}' "$4"`
  for (const [name, script] of Object.entries({ gh: clone, ...options.programs }))
    writeFileSync(join(play.bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  writeFileSync(play.summary, '')
  for (const [name, job] of Object.entries(jobs)) {
    const [[key, given] = ['', ['']]] = Object.entries(job.strategy?.matrix ?? {})
    const values = typeof given === 'string' ? evaluate(inside(given), { needs: play.needs }) : given
    for (const value of values as readonly unknown[])
      await playJob(name, job, key === 'include' ? (value as Values) : { [key]: value }, play)
  }
  return { steps: play.steps, artifacts: play.artifacts, summary: readFileSync(play.summary, 'utf8') }
}

type Play = {
  readonly options: WorkflowOptions
  readonly artifacts: string
  readonly summary: string
  readonly env: Readonly<Record<string, string>>
  readonly bin: string
  readonly steps: PlayedStep[]
  readonly needs: Record<string, { outputs: Record<string, string>; isGood: boolean }>
}

async function playJob(name: string, job: Job, matrix: Values, play: Play): Promise<void> {
  const { options, needs } = play
  const steps: Record<string, { outputs: Record<string, string> }> = {}
  const { event, repository, inputs = {} } = options
  const github = {
    ...{ event: event.payload, event_name: event.name, sha: repository.sha, token: TOKEN, run_id: '1' },
    run_number: '7',
    run_attempt: options.artifacts === undefined ? 1 : 2,
    actor: options.actor ?? 'maintainer',
    ...{ repository: 'octo/shop', repository_owner: 'octo', ref: 'refs/heads/main', ref_name: 'main' },
  }
  let hasFailed = false
  const values = () => ({
    ...{ github, steps, needs, matrix, inputs },
    secrets: { ANTHROPIC_API_KEY: 'sk-ant-test-0123456789abcdefghij', FLEET_READ_TOKEN: 'fleet' },
    ...{ always: () => true, success: () => !hasFailed, cancelled: () => false },
  })
  const isStuck = [job.needs ?? []].flat().some((need) => needs[need]?.isGood !== true)
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
    hasFailed ||= typeof done.code === 'number' && done.code !== 0 && step['continue-on-error'] !== true
  }
  // A job with a matrix is good if all of its parts are.
  needs[name] = { outputs: filled(job.outputs ?? {}, values()), isGood: !hasFailed && needs[name]?.isGood !== false }
}

function filled(texts: Readonly<Record<string, unknown>>, values: Values): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, fill(String(text), values)]))
}

type Done = { readonly code: number; readonly log: string; readonly outputs: Record<string, string> }

async function playStep(step: Step, workspace: string, values: Values, play: Play): Promise<Done> {
  const given = filled(step.with ?? {}, values)
  if (step.run !== undefined) return runShell(fill(step.run, values), step, workspace, values, play)
  const [action = ''] = (step.uses ?? '').split('@')
  if (action === 'kode-run/kode-run' || action === './') return playAgent(given, workspace, play)
  const nothing = { code: 0, log: '', outputs: {} }
  if (action === 'actions/checkout') checkout(given, workspace, play.options.repository)
  else if (action === 'actions/upload-artifact') upload(given, workspace, play.artifacts)
  else if (action === 'actions/download-artifact') {
    if (given['name'] !== undefined && !existsSync(join(play.artifacts, given['name']))) return { ...nothing, code: 1 }
    download(given, workspace, play.artifacts)
  } else if (!/^actions\/(setup-node|cache)$/.test(action)) throw new Error(`${step.uses} is not known here`)
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

async function runShell(script: string, step: Step, workspace: string, values: Values, play: Play): Promise<Done> {
  const output = join(workspace, '..', `${basename(workspace)}-output`)
  writeFileSync(output, '')
  const env = filled({ ...play.env, ...step.env }, values)
  const event = join(makeFolder(), 'event.json')
  writeFileSync(event, JSON.stringify(play.options.event.payload))
  const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], {
    cwd: workspace,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...{ PATH: `${play.bin}:${process.env['PATH']}`, HOME: workspace, GITHUB_OUTPUT: output },
      ...{ GITHUB_STEP_SUMMARY: play.summary, GITHUB_API_URL: play.options.apiUrl, GITHUB_REPOSITORY: 'octo/shop' },
      ...{ GITHUB_EVENT_NAME: play.options.event.name, GITHUB_EVENT_PATH: event },
      GITHUB_SHA: play.options.repository.sha,
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
