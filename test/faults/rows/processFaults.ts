import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Turn } from '../../../src/model/replay/renderTurn.ts'
import { verifyTranscript } from '../../../src/report/transcript/verifyTranscript.ts'
import type { CliRun, StartedCli } from '../../helpers/runs/cliRun.ts'
import { killPoints } from '../killPoints.ts'
import { limitProcesses, processesOf } from '../machine.ts'
import type { Lab } from '../openLab.ts'
import type { Play, Plays } from '../readMatrix.ts'

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
function signalled(signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP'): Play {
  return async (lab) => {
    const run = start(lab, await lab.serve([bash(STUBBORN)]))
    await until(isThere(run, 'up'))
    const told = performance.now()
    run.child.kill(signal)
    await once(run.child, 'exit')
    const seconds = (performance.now() - told) / 1000
    return `${await orderly(await run.ended())}, ${seconds <= MOST_SECONDS ? 'within 3 s' : `after ${seconds.toFixed(1)} s`}`
  }
}

type Commanded = {
  readonly command: string
  readonly more?: object
  readonly policy?: string
  /** What is looked for in the command's result. */
  readonly words: RegExp
}

/** A row that is one command, and what the model is told of it. */
function commanded({ command, more, policy, words }: Commanded): Play {
  return async (lab) => {
    const run = await start(lab, await lab.serve([bash(command, more), OK]), policy).ended()
    const result = run.toolResults().join()
    const said = words.exec(result)?.[0] ?? `not said in ${JSON.stringify(result.slice(0, 300))}`
    return `${await orderly(run)}, said: ${said}`
  }
}

/** Signals and processes. */
export const processFaults: Plays = {
  '42a': signalled('SIGINT'),
  '42b': signalled('SIGTERM'),
  '42c': signalled('SIGHUP'),

  async '43'(lab) {
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

  async '43b'(lab) {
    const run = start(lab, await lab.serve([bash(STUBBORN)]), ALLOW, ['sh', '-c', '"$@"; true', 'sh'])
    await until(isThere(run, 'up'))
    run.child.kill('SIGKILL')
    const ended = await run.ended()
    return `${ended.result().exit_reason}, ${processesOf(run.base).length} left`
  },

  '46': commanded({ command: STUBBORN, more: { timeout: 1000 }, words: /it reached its time limit/ }),

  async '47'(lab) {
    const command =
      'setsid sleep 61 >/dev/null 2>&1 & nohup setsid sleep 62 >/dev/null 2>&1 & (setsid sleep 63 >/dev/null 2>&1 &); sleep 0.3; echo ok'
    const run = await start(lab, await lab.serve([bash(command), OK])).ended()
    const leaked = run.records.flatMap((record) =>
      record.type === 'system' && record.subtype === 'process_leaked' ? record.processes : [],
    )
    const killed = leaked.filter((one) => one.killed).length
    return `${await orderly(run)}, ${killed} process_leaked and killed`
  },

  async '47b'(lab) {
    const command = 'setsid sleep 61 >/dev/null 2>&1 & (env -i setsid sleep 63 >/dev/null 2>&1 &); sleep 0.3; echo ok'
    const run = await start(lab, await lab.serve([bash(command), OK]), BOXED).ended()
    const leaked = run.records.filter((record) => record.type === 'system' && record.subtype === 'process_leaked')
    return `${await orderly(run)}, ${leaked.length} leaked`
  },

  '49': commanded({
    command: 'cat; tty; git -c user.name=a -c user.email=a@example.com commit --allow-empty; echo end of it',
    words: /end of it/,
  }),

  '50': commanded({ command: 'head -c 200000000 /dev/zero | tr "\\0" x', words: /characters left out/ }),
  '52': commanded({ command: 'echo ok', more: { timeout: 1_000_000_000 }, words: /ok/ }),
  '52b': commanded({ command: 'echo ok', more: { timeout: -5 }, words: /ok/ }),

  async '55'(lab) {
    const run = await start(lab, await lab.serve([bash('kill -9 $PPID; sleep 60')])).ended()
    const { problems } = await verifyTranscript(run.transcript)
    const isWhole = problems.every(({ reason }) => /end record is missing|has no result/.test(reason))
    const again = await lab
      .cli(['--resume', run.transcript], { server: await lab.serve([OK]), policy: ALLOW, after: run })
      .ended()
    return `${run.code === null ? 'killed' : run.code}, ${isWhole ? 'a record as far as it went' : problems[0]?.reason}, resumed: ${again.code} ${again.result().exit_reason}`
  },

  async '57'(lab) {
    const run = start(lab, await lab.serve([bash('echo ok'), OK]))
    run.child.stdout?.destroy()
    run.child.stderr?.destroy()
    return orderly(await run.ended())
  },

  '44': killPoints({ calls: 4, every: 7 }),
  '44 bodies': killPoints({ calls: 3, every: 9, withBodies: true }),
  '44 all': killPoints({ calls: 40, every: 1 }),
  '44 bodies all': killPoints({ calls: 12, every: 1, withBodies: true }),
  '42 chance': sweep(3),
  '42 chance 500': sweep(500),
  '53': bomb(undefined),
  '53 boxed': bomb(BOXED),
}

/** SIGTERM at a moment that chance chooses, again and again. */
function sweep(count: number): Play {
  return async (lab) => {
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
  }
}

/** A command that starts processes without end, in a group of at most 300 processes, as a container has it. */
function bomb(policy: string | undefined): Play {
  return async (lab) => {
    const limit = limitProcesses(300)
    try {
      const command = 'bomb() { bomb | bomb & }; bomb; sleep 60'
      const run = start(lab, await lab.serve([bash(command, { timeout: 3000 }), OK]), policy)
      limit.add(run.child.pid ?? Number.NaN)
      return `${await orderly(await run.ended())}, ${limit.wasReached() ? 'the limit was reached' : 'NO LIMIT'}`
    } finally {
      limit.remove()
    }
  }
}
