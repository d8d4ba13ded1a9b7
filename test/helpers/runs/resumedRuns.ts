import { execFileSync } from 'node:child_process'
import { cpSync, rmSync } from 'node:fs'
import type { Turn } from '../../../src/model/replay/renderTurn.ts'
import { serveTurns } from '../model/serveTurns.ts'
import { type CliFolders, type StartedCli, startCli } from './cliRun.ts'
import { bash, type Played, type PlayOptions, playRun } from './playRun.ts'

export const POLICY =
  'version: 1\npermissions: { presets: [read-only], allow: ["Bash(echo *)", "Bash(sleep *)", "Edit(*.txt)"] }\n'

/** A command that takes long, and would write: its call starts only once its message is recorded. */
export const SLOW = 'sleep 60; echo late >> log.txt'
export const DONE: Turn = { say: 'done' }

/** Goes on with a run, in the same project unless `after` says otherwise; its model gives these answers, then `DONE`. */
export function resume(run: CliFolders, { args = [], ...options }: PlayOptions = {}, ...answers: readonly Played[]) {
  const usual = { prompt: null, last: DONE, policy: POLICY, after: run }
  return playRun(answers, { ...usual, ...options, args: ['--resume', run.transcript, ...args] })
}

let kept: StartedCli | undefined

/** A run that is killed while it sleeps in its second call; the first wrote a file. It is one run, as it was then. */
export async function killedRun(): Promise<StartedCli> {
  const options = { recursive: true, preserveTimestamps: true, verbatimSymlinks: true }
  if (kept === undefined) {
    kept = await killRun()
    cpSync(kept.base, `${kept.base}-kept`, options)
  } else {
    rmSync(kept.base, { recursive: true })
    cpSync(`${kept.base}-kept`, kept.base, options)
  }
  return kept
}

/** Starts such a run, and kills it once `until` is settled. */
export async function killRun({
  more = '',
  until,
}: {
  readonly more?: string
  readonly until?: (transcript: string) => Promise<unknown>
} = {}) {
  const server = await serveTurns(
    { tools: [bash('echo one >> log.txt')] },
    { tools: [bash(SLOW), bash('echo two >> log.txt')] },
  )
  const run = startCli(['write the log', '--output-format', 'stream-json'], {
    server,
    policy: POLICY + more,
    prepare: commit,
  })
  await run.saw(`"tool_input":{"command":"${SLOW}"}`)
  await until?.(run.transcript)
  run.child.kill('SIGKILL')
  await run.ended()
  return run
}

export function commit(project: string): void {
  const commit = 'git -c user.name=t -c user.email=t@example.com commit -qm start --date 2026-01-01T00:00Z'
  const env = { ...process.env, GIT_COMMITTER_DATE: '2026-01-01T00:00Z' }
  const script = `echo start > start.txt; git init -q -b main; git add -A; ${commit}`
  execFileSync('sh', ['-ec', script], { cwd: project, env })
}
