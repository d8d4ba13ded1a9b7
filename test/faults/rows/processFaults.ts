import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Turn } from '../../../src/model/replay/renderTurn.ts'
import { verifyTranscript } from '../../../src/report/transcript/verifyTranscript.ts'
import type { CliRun, StartedCli } from '../../helpers/runs/cliRun.ts'
import { killPoints } from '../killPoints.ts'
import { limitProcesses, processesOf, processGroupProblem, sandboxProblem } from '../machine.ts'
import type { Lab } from '../openLab.ts'
import type { FaultRow } from './FaultRow.ts'

const ALLOW = 'version: 1\npermissions: { allow: [Bash, "Edit(./**)"] }\nsandbox: { mode: off }\n'
const BOXED = 'version: 1\npermissions: { allow: [Bash, "Edit(./**)"] }\nsandbox: { mode: auto }\n'
const OK: Turn = { say: 'done' }
const bash = (command: string, more: object = {}): Turn => ({ tools: [{ name: 'Bash', input: { command, ...more } }] })
const STUBBORN = `trap '' TERM HUP INT; touch up; while :; do sleep 1; done`

/** What is true of every run that ended in order. */
async function orderly(run: CliRun): Promise<string> {
  const { isIntact, problems } = await verifyTranscript(run.transcript)
  const left = processesOf(run.base).length
  return `${run.code} ${run.result().exit_reason}, ${isIntact ? 'intact' : problems[0]?.reason}, ${left} left`
}

function start(
  lab: Lab,
  server: { readonly url: string },
  policy = ALLOW,
  through: readonly string[] = [],
): StartedCli {
  return lab.cli(['do it', '--output-format', 'stream-json'], { server, policy, through })
}

/** In tests the machine may be busy with others; `npm run faults` measures. */
const MOST_SECONDS = process.env['VITEST'] === undefined ? 3 : 10

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await sleep(20)
}

/** What is there of a run that killed its children and did not wait for their end: the system may take a moment. */
async function leftOf(base: string): Promise<number> {
  for (let round = 0; round < 250 && processesOf(base).length > 0; round++) await sleep(20)
  return processesOf(base).length
}

const isThere = (run: StartedCli, file: string) => () => readdirSync(run.project).includes(file)

/** One signal while a command that ignores it runs, and how long the end takes. */
function signalled(row: string, signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP', expected: string): FaultRow {
  return {
    row,
    group: 'C',
    injected: `${signal} while a command runs that ignores it`,
    expected: `${expected}, intact, 0 left, within 3 s`,
    async play(lab) {
      const run = start(lab, await lab.serve([bash(STUBBORN)]))
      await until(isThere(run, 'up'))
      const told = performance.now()
      run.child.kill(signal)
      await once(run.child, 'exit')
      const seconds = (performance.now() - told) / 1000
      return `${await orderly(await run.ended())}, ${seconds <= MOST_SECONDS ? 'within 3 s' : `after ${seconds.toFixed(1)} s`}`
    },
  }
}

type Commanded = Pick<FaultRow, 'row' | 'injected' | 'expected'> & {
  readonly command: string
  readonly more?: object
  readonly policy?: string
  /** What is looked for in the command's result. */
  readonly words: RegExp
}

/** A row that is one command, and what the model is told of it. */
function commanded({ command, more, policy, words, ...row }: Commanded): FaultRow {
  return {
    ...row,
    group: 'C',
    async play(lab) {
      const run = await start(lab, await lab.serve([bash(command, more), OK]), policy).ended()
      const result = run.toolResults().join()
      const said = words.exec(result)?.[0] ?? `not said in ${JSON.stringify(result.slice(0, 300))}`
      return `${await orderly(run)}, said: ${said}`
    },
  }
}

/** Signals and processes. */
export const processFaults: readonly FaultRow[] = [
  signalled('42a', 'SIGINT', '130 sigint'),
  signalled('42b', 'SIGTERM', '143 sigterm'),
  signalled('42c', 'SIGHUP', '129 sighup'),
  {
    row: '43',
    group: 'C',
    injected: 'SIGINT, and SIGTERM as soon as the command is told to end',
    expected: '130 sigint, intact but for its open calls, 0 left, within 1 s',
    async play(lab) {
      const run = start(lab, await lab.serve([bash(`trap 'touch told' TERM; touch up; while :; do sleep 1; done`)]))
      await until(isThere(run, 'up'))
      run.child.kill('SIGINT')
      await until(isThere(run, 'told'))
      const told = performance.now()
      run.child.kill('SIGTERM')
      await once(run.child, 'exit')
      const isQuick = performance.now() - told < (MOST_SECONDS * 1000) / 3
      const ended = await run.ended()
      const { problems } = await verifyTranscript(run.transcript)
      const others = problems.filter(({ reason }) => !reason.endsWith('has no result'))
      const words = others.length === 0 ? 'intact but for its open calls' : others[0]?.reason
      const left = await leftOf(run.base)
      return `${ended.code} ${ended.result().exit_reason}, ${words}, ${left} left, ${isQuick ? 'within 1 s' : 'SLOW'}`
    },
  },
  {
    row: '43b',
    group: 'C',
    injected: 'the parent is killed',
    expected: 'sighup, 0 left',
    async play(lab) {
      const run = start(lab, await lab.serve([bash(STUBBORN)]), ALLOW, ['sh', '-c', '"$@"; true', 'sh'])
      await until(isThere(run, 'up'))
      run.child.kill('SIGKILL')
      const ended = await run.ended()
      return `${ended.result().exit_reason}, ${processesOf(run.base).length} left`
    },
  },
  commanded({
    row: '46',
    injected: 'a command that ignores TERM runs into its time limit',
    expected: '0 completed, intact, 0 left, said: it reached its time limit',
    command: STUBBORN,
    more: { timeout: 1000 },
    words: /it reached its time limit/,
  }),
  {
    row: '47',
    group: 'C',
    injected: 'setsid, nohup and a double fork that keep the environment',
    expected: '0 completed, intact, 0 left, 3 process_leaked and killed',
    async play(lab) {
      const command =
        'setsid sleep 61 >/dev/null 2>&1 & nohup setsid sleep 62 >/dev/null 2>&1 & (setsid sleep 63 >/dev/null 2>&1 &); sleep 0.3; echo ok'
      const run = await start(lab, await lab.serve([bash(command), OK])).ended()
      const leaked = run.records.flatMap((record) =>
        record.type === 'system' && record.subtype === 'process_leaked' ? record.processes : [],
      )
      const killed = leaked.filter((one) => one.killed).length
      return `${await orderly(run)}, ${killed} process_leaked and killed`
    },
  },
  {
    row: '47b',
    group: 'C',
    injected: 'the same in a PID namespace',
    expected: '0 completed, intact, 0 left, 0 leaked',
    skip: () => sandboxProblem(),
    async play(lab) {
      const command = 'setsid sleep 61 >/dev/null 2>&1 & (env -i setsid sleep 63 >/dev/null 2>&1 &); sleep 0.3; echo ok'
      const run = await start(lab, await lab.serve([bash(command), OK]), BOXED).ended()
      const leaked = run.records.filter((record) => record.type === 'system' && record.subtype === 'process_leaked')
      return `${await orderly(run)}, ${leaked.length} leaked`
    },
  },
  commanded({
    row: '49',
    injected: 'cat without stdin, tty without a terminal, git commit without an editor',
    expected: '0 completed, intact, 0 left, said: end of it',
    command: 'cat; tty; git -c user.name=a -c user.email=a@example.com commit --allow-empty; echo end of it',
    words: /end of it/,
  }),
  commanded({
    row: '50',
    injected: '200 MB of output in one line',
    expected: '0 completed, intact, 0 left, said: characters left out',
    command: 'head -c 200000000 /dev/zero | tr "\\0" x',
    words: /characters left out/,
  }),
  commanded({
    row: '52',
    injected: 'a time limit of 10^9 ms is asked for',
    expected: '0 completed, intact, 0 left, said: ok',
    command: 'echo ok',
    more: { timeout: 1_000_000_000 },
    words: /ok/,
  }),
  commanded({
    row: '52b',
    injected: 'a negative time limit is asked for',
    expected: '0 completed, intact, 0 left, said: ok',
    command: 'echo ok',
    more: { timeout: -5 },
    words: /ok/,
  }),
  {
    row: '55',
    group: 'C',
    injected: 'a command kills its parent (no PID namespace)',
    expected: 'killed, a record as far as it went, resumed: 0 completed',
    async play(lab) {
      const run = await start(lab, await lab.serve([bash('kill -9 $PPID; sleep 60')])).ended()
      const { problems } = await verifyTranscript(run.transcript)
      const isWhole = problems.every(({ reason }) => /end record is missing|has no result/.test(reason))
      const again = await lab
        .cli(['--resume', run.transcript], { server: await lab.serve([OK]), policy: ALLOW, after: run })
        .ended()
      return `${run.code === null ? 'killed' : run.code}, ${isWhole ? 'a record as far as it went' : problems[0]?.reason}, resumed: ${again.code} ${again.result().exit_reason}`
    },
  },
  {
    row: '57',
    group: 'C',
    injected: 'stdout and stderr closed by their readers',
    expected: '0 completed, intact, 0 left',
    async play(lab) {
      const run = start(lab, await lab.serve([bash('echo ok'), OK]))
      run.child.stdout?.destroy()
      run.child.stderr?.destroy()
      return orderly(await run.ended())
    },
  },
  killPoints({ row: '44', calls: 4, every: 7 }),
  { ...killPoints({ row: '44 bodies', calls: 3, every: 9, withBodies: true }), isLong: true },
  { ...killPoints({ row: '44 all', calls: 40, every: 1 }), isLong: true },
  { ...killPoints({ row: '44 bodies all', calls: 12, every: 1, withBodies: true }), isLong: true },
  sweep('42 chance', 3),
  { ...sweep('42 chance 500', 500), isLong: true },
  bomb('53', undefined),
  bomb('53 boxed', BOXED),
]

/** SIGTERM at a moment that chance chooses, again and again. */
function sweep(row: string, count: number): FaultRow {
  return {
    row,
    group: 'C',
    injected: `SIGTERM at ${count} random moments`,
    expected: `${count} runs, 0 orphans, every record has its end`,
    async play(lab) {
      let orphans = 0
      let endless = 0
      for (let index = 0; index < count; index++) {
        const calls = Array.from({ length: 30 }, () => bash('setsid sleep 30 & sleep 0.05; echo x >> log'))
        const server = await lab.serve(calls)
        const run = start(lab, server)
        await run.saw('"init"')
        await sleep(Math.random() * 1500)
        run.child.kill('SIGTERM')
        const ended = await run.ended()
        orphans += processesOf(run.base).length
        if (ended.records.at(-1)?.type !== 'result' || ended.code !== 143) endless++
      }
      const ends = endless === 0 ? 'every record has its end' : `${endless} without their end`
      return `${count} runs, ${orphans} orphans, ${ends}`
    },
  }
}

/** A command that starts processes without end, in a group of at most 300 processes, as a container has it. */
function bomb(row: string, policy: string | undefined): FaultRow {
  return {
    row,
    group: 'C',
    injected: `a fork bomb${policy === undefined ? '' : ' in the sandbox'}`,
    expected: '0 completed, intact, 0 left, the limit was reached',
    isLong: true,
    skip: () => processGroupProblem() ?? (policy === undefined ? undefined : sandboxProblem()),
    async play(lab) {
      const limit = limitProcesses(300)
      try {
        const command = 'bomb() { bomb | bomb & }; bomb; sleep 60'
        const run = start(lab, await lab.serve([bash(command, { timeout: 3000 }), OK]), policy)
        limit.add(run.child.pid ?? Number.NaN)
        return `${await orderly(await run.ended())}, ${limit.wasReached() ? 'the limit was reached' : 'NO LIMIT'}`
      } finally {
        limit.remove()
      }
    },
  }
}
