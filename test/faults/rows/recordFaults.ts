import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Turn } from '../../../src/model/replay/renderTurn.ts'
import { hashOfLine } from '../../../src/report/transcript/hashOfLine.ts'
import { readTranscript } from '../../../src/report/transcript/readTranscript.ts'
import { verifyTranscript } from '../../../src/report/transcript/verifyTranscript.ts'
import { call } from '../../helpers/model/serveTurns.ts'
import type { CliRun } from '../../helpers/runs/cliRun.ts'
import { processesOf } from '../machine.ts'
import { mount } from '../mount.ts'
import type { Lab } from '../openLab.ts'
import type { Play, Plays } from '../readMatrix.ts'

const ALLOW = 'version: 1\npermissions: { allow: [Bash, "Edit(./**)"] }\nsandbox: { mode: off }\n'
const OK: Turn = { say: 'done' }
const bash = (command: string) => call('Bash', { command })

/** A transcript that cannot be opened where it is asked for. */
function badPlace(make: (folder: string) => string): Play {
  return async (lab) => {
    const server = await lab.serve([])
    const run = await lab.cli(['x', '--transcript', make(lab.folder())], { server }).ended()
    return `exit ${run.code}, ${server.requests.length} requests`
  }
}

/** A finished run with a few calls. */
async function finished(lab: Lab): Promise<CliRun> {
  const server = await lab.serve([bash('echo a > a'), bash('echo b > b'), OK])
  return lab.cli(['x'], { server, policy: ALLOW }).ended()
}

/** A finished transcript that is damaged, then read, verified and resumed. */
function damaged(damage: (lines: string[]) => string): Play {
  return async (lab) => {
    const run = await finished(lab)
    writeFileSync(run.transcript, damage(readFileSync(run.transcript, 'utf8').split('\n')))
    let good = 0
    for await (const item of readTranscript(run.transcript)) if (item.kind === 'record') good++
    const { isIntact } = await verifyTranscript(run.transcript)
    const server = await lab.serve((): { turn: Turn } => ({ turn: OK }))
    const resumed = await lab.cli(['--resume', run.transcript, 'more'], { server, policy: ALLOW, after: run }).ended()
    return `${run.records.length - good} records lost, ${isIntact ? 'verifies' : 'does not verify'}, resume ${resumed.code}`
  }
}

/** Faults of the record, and going on from it. */
export const recordFaults: Plays = {
  '73a': badPlace((folder) => join(folder, 'none', 't.jsonl')),
  '73b': badPlace((folder) => {
    symlinkSync(join(folder, 'elsewhere'), join(folder, 't.jsonl'))
    return join(folder, 't.jsonl')
  }),

  '73c': badPlace((folder) => {
    execFileSync('mkfifo', [join(folder, 't.jsonl')])
    return join(folder, 't.jsonl')
  }),

  '73d': badPlace((folder) => {
    mkdirSync(join(folder, 'locked'))
    chmodSync(join(folder, 'locked'), 0o500)
    return join(folder, 'locked', 't.jsonl')
  }),

  async '74'(lab) {
    const server = await lab.serve((request) => ({ turn: bash(`echo x > made-${request.index}`) }))
    const through = 'strace -o /dev/null -P TRANSCRIPT -e trace=write -e inject=write:error=ENOSPC:when=7+'.split(' ')
    const run = await lab.cli(['x', '--output-format', 'json'], { server, policy: ALLOW, through }).ended()
    const result = JSON.parse(run.stdout) as { exit_reason: string }
    const isSaid =
      run.stderr.includes('cannot be written') && readFileSync(run.summary, 'utf8').includes('cannot be written')
    const made = readdirSync(run.project).filter((name) => name.startsWith('made-')).length
    return `exit ${run.code} ${result.exit_reason}, ${isSaid ? 'said on stderr and in the summary' : 'NOT SAID'}, ${made <= 1 ? 'no later call ran' : `${made} calls ran`}, ${processesOf(run.base).length} left`
  },

  async '74b'(lab) {
    const disk = mount(lab, 'size=1m')
    const transcript = join(disk, 't.jsonl')
    const server = await lab.serve([
      bash(`echo x >> log; cat /dev/zero > ${disk}/fill; seq 9999`),
      bash('echo x >> log'),
      OK,
    ])
    const prepare = (project: string) => symlinkSync(join(disk, 'summary.md'), join(project, '../summary.md'))
    const run = await lab.cli(['x', '--transcript', transcript], { server, policy: ALLOW, prepare }).ended()
    const { hasEnd } = await verifyTranscript(transcript)
    const isSaid = readFileSync(run.summary, 'utf8').includes('cannot be written')
    const lines = readFileSync(join(run.project, 'log'), 'utf8').split('\n').length - 1
    rmSync(join(disk, 'fill'))
    const again = await lab
      .cli(['--resume', transcript], { server: await lab.serve([OK]), policy: ALLOW, after: run })
      .ended()
    const words = [hasEnd ? 'its end record' : 'NO END', isSaid ? 'said in the summary' : 'NOT SAID']
    const ran = lines === 1 ? 'the command ran once' : `${lines} commands ran`
    return `exit ${run.code} ${/io_error/.exec(run.stderr)?.[0]}, ${words.join(', ')}, ${ran}, resumed: ${again.code} ${again.result().exit_reason}`
  },

  '76a': damaged((lines) => lines.join('\n').slice(0, -20)),
  '76b': damaged((lines) => `${lines.join('\n')}${'\0'.repeat(500)}`),
  '76c': damaged((lines) => lines.toSpliced(4, 0, 'garbage').join('\n')),
  '76d': damaged((lines) => `\ufeff${lines.join('\r\n')}`),
  '76e': damaged((lines) =>
    lines.toSpliced(3, 0, (lines[3] ?? '').replace(/"run":"[^"]+"/, '"run":"other"')).join('\n'),
  ),

  async '77'(lab) {
    const run = await finished(lab)
    const text = readFileSync(run.transcript, 'utf8').split('\n')
    const path = join(run.base, 'long.jsonl')
    writeFileSync(path, `${text.slice(0, 3).join('\n')}\n`)
    for (let index = 0; index < 20; index++) appendFileSync(path, 'x'.repeat(10_000_000))
    appendFileSync(path, `\n${text.slice(3).join('\n')}`)
    const before = process.memoryUsage().rss
    let good = 0
    let reported = 0
    for await (const item of readTranscript(path)) {
      if (item.kind === 'record') good++
      else reported++
    }
    const used = (process.memoryUsage().rss - before) / 1e6
    const read = good === run.records.length ? 'every other record read' : `${good} read`
    return `${read}, ${reported === 1 ? 'the line reported' : `${reported} reported`}, ${used < 300 ? 'less than 300 MB used' : `${used} MB used`}`
  },

  '79': damaged((lines) => lines.with(4, (lines[4] ?? '').replace('"mono_ms":', '"mono_ms":1')).join('\n')),
  '79b': damaged((lines) => lines.toSpliced(4, 1).join('\n')),
  '79c': damaged((lines) => lines.toSpliced(4, 2, lines[5] ?? '', lines[4] ?? '').join('\n')),

  async '79d'(lab) {
    const run = await finished(lab)
    const head = /head ([0-9a-f]{64})/.exec(run.stderr)?.[1] ?? ''
    const lines = readFileSync(run.transcript, 'utf8').trim().split('\n')
    const [last, before] = [lines.at(-1) ?? '', lines.at(-3) ?? '']
    const forged = { ...JSON.parse(last), seq: lines.length - 1, prev: hashOfLine(before), result: 'all is well' }
    writeFileSync(run.transcript, `${[...lines.slice(0, -2), JSON.stringify(forged)].join('\n')}\n`)
    const [alone, byHead] = [await verifyTranscript(run.transcript), await verifyTranscript(run.transcript, head)]
    return `${alone.isIntact ? 'verifies by itself' : 'does not verify'}, ${byHead.isIntact ? 'and' : 'not'} by the head of the log`
  },

  async '81'(lab) {
    const run = await lab
      .cli(['x', '--max-turns', '1'], { server: await lab.serve([bash('echo a')]), policy: ALLOW })
      .ended()
    const server = await lab.serve(() => ({ turn: OK, chunkBytes: 50, dripMs: 60 }))
    const resume = () =>
      lab.cli(['--resume', run.transcript, '--max-turns', '5'], { server, policy: ALLOW, after: run }).ended()
    const codes = (await Promise.all([resume(), resume()])).map(({ code }) => code)
    return codes.toSorted().join() === '0,75' ? 'one 0, one 75' : codes.join()
  },

  async '80'(lab) {
    const server = await lab.serve([bash('echo x >> log; sleep 60')])
    const run = lab.cli(['x', '--output-format', 'stream-json'], { server, policy: ALLOW })
    while (!readdirSync(run.project).includes('log')) await sleep(20)
    run.child.kill('SIGKILL')
    const killed = await run.ended()
    const next = await lab.serve([OK])
    await lab.cli(['--resume', killed.transcript], { server: next, policy: ALLOW, after: killed }).ended()
    const told = /Interrupted, outcome unknown/.exec(next.requests[0]?.text ?? '')?.[0]
    const lines = readFileSync(join(run.project, 'log'), 'utf8').split('\n').length - 1
    return `the model is told: ${told}; the call ran ${lines === 1 ? 'once' : `${lines} times`}`
  },

  async '82'(lab) {
    const run = await finished(lab)
    const policy = `${ALLOW}# another\n`
    const resume = async (...flags: string[]) => {
      const server = await lab.serve((): { turn: Turn } => ({ turn: OK }))
      const args = ['--resume', run.transcript, 'more', ...flags]
      return (await lab.cli(args, { server, policy, after: run }).ended()).code
    }
    return `exit ${await resume()}, ${await resume('--accept-policy-change')} with --accept-policy-change`
  },

  async '83'(lab) {
    const secret = 'Zq8/kV2+mN4xT7pL0wYs'
    const bytes = Buffer.from(secret)
    const forms = [secret, bytes.toString('base64'), bytes.toString('hex'), encodeURIComponent(secret)]
    const command = forms
      .map((form) => `printf %s '${form.slice(0, 9)}'; sleep 0.05; printf '%s\\n' '${form.slice(9)}'`)
      .join('; ')
    const server = await lab.serve([bash(command), OK])
    const policy = `${ALLOW}redact: { env: [MY_WORD] }\n`
    const run = await lab.cli(['x'], { server, policy, env: { MY_WORD: secret } }).ended()
    const record = readFileSync(run.transcript, 'utf8')
    const kept = forms.filter((form) => record.includes(form)).length
    const results = JSON.stringify(server.requests[1]?.body.messages.at(-1))
    return `${kept} of 4 forms in the record, ${results.includes(secret) ? 1 : 0} in requests`
  },
}
