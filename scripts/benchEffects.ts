// What transactions cost on this machine: `npx tsx scripts/benchEffects.ts [rounds]`. Each time is from the decision to
// the result: once back to back without end, once after a pause, as a model makes between two messages, and once three
// in a row after each pause, as the calls of one message.
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { CommandEffects } from '../src/contracts/effects.ts'
import { openTestEffects } from '../test/helpers/effects/openTestEffects.ts'

const rounds = Number(process.argv[2] ?? 100)
const place = realpathSync(mkdtempSync(join(tmpdir(), 'bench-')))
const root = join(place, 'checkout')
for (let folder = 0; folder < 50; folder++) {
  mkdirSync(join(root, 'src', String(folder)), { recursive: true })
  for (let file = 0; file < 20; file++) writeFileSync(join(root, 'src', String(folder), String(file)), 'x'.repeat(2000))
}
const { effects, close } = await openTestEffects({ roots: [root] })
const { signal } = new AbortController()

function run(script: string, access: CommandEffects['access'] = 'write') {
  const request = { file: 'bash', args: ['-c', script], cwd: root, timeoutMs: 60_000, signal }
  return effects.run({ ...request, effects: { access, mayChangeGit: false, by: 'bench' } })
}

const MANY = 'for i in $(seq 100); do mkdir -p $0/$i; for j in $(seq 100); do echo $i > $0/$i/$j; done; done'
const BWRAP = [
  '--unshare-pid',
  '--unshare-ipc',
  '--unshare-uts',
  '--die-with-parent',
  '--new-session',
  '--ro-bind',
  '/',
  '/',
]

function plain(file: string, args: readonly string[], cwd = '/'): Promise<void> {
  return new Promise((resolve, reject) => {
    execFile(file, args, { cwd }, (error) => (error === null ? resolve() : reject(error)))
  })
}

const PAUSE_MS = 300

async function timesOf(count: number, work: () => Promise<unknown>, burst = 0): Promise<string> {
  const times: number[] = []
  for (let round = 0; round < count; round++) {
    if (burst > 0 && round % burst === 0) await delay(PAUSE_MS)
    const start = performance.now()
    await work()
    times.push(performance.now() - start)
  }
  times.sort((one, other) => one - other)
  const at = (part: number) => (times[Math.floor(times.length * part)] ?? 0).toFixed(1)
  return `${at(0.5).padStart(8)} ms (fastest tenth ${at(0.1)})`.padEnd(35)
}

async function measure(name: string, count: number, work: () => Promise<unknown>): Promise<void> {
  const before = process.cpuUsage()
  const times = await timesOf(count, work)
  const { user, system } = process.cpuUsage(before)
  const own = ((user + system) / 1000 / count).toFixed(1).padStart(8)
  const paused = count === rounds ? `${await timesOf(count, work, 1)}${await timesOf(count * 3, work, 3)}` : ''
  console.log(`${name.padEnd(40)}${times}${own} ms  ${paused}`.trimEnd())
}

const HEADS = ['back to back: median', 'after a pause', 'three after a pause']
console.log(`${''.padEnd(40)}${HEADS[0]?.padEnd(35)}own CPU     ${HEADS[1]?.padEnd(35)}${HEADS[2]}`)
await measure('true', rounds, () => plain('true', []))
await measure('true in bwrap alone', rounds, () =>
  plain('bwrap', [...BWRAP, '--dev', '/dev', '--proc', '/proc', 'true']),
)
await measure('true, read', rounds, () => run('true', 'read'))
await measure('true, write', rounds, () => run('true'))
let round = 0
await measure('one file changed, write', rounds, () => run(`echo ${round++} > src/0/0`))
await measure('10,000 new files outside', 3, async () => {
  await plain('bash', ['-c', MANY, join(place, 'outside')])
  rmSync(join(place, 'outside'), { recursive: true })
})
await measure('10,000 new files in a view, taken over', 3, async () => {
  await run(`bash -c '${MANY}' node_modules`)
  rmSync(join(root, 'node_modules'), { recursive: true })
})
await run(`bash -c '${MANY}' node_modules`)
await measure('the same 10,000 files made again in a view', 3, () =>
  run(`rm -r node_modules; bash -c '${MANY}' node_modules`),
)
await measure('10,000 files removed in a view', 1, () => run('rm -r node_modules'))
await close()
rmSync(place, { recursive: true })
