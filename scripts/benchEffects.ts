// What transactions cost on this machine: `npx tsx scripts/benchEffects.ts [rounds]`.
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openTestEffects } from '../test/helpers/effects/openTestEffects.ts'

const rounds = Number(process.argv[2] ?? 100)
const place = realpathSync(mkdtempSync(join(tmpdir(), 'bench-')))
const root = join(place, 'checkout')
for (let folder = 0; folder < 50; folder++) {
  mkdirSync(join(root, 'src', String(folder)), { recursive: true })
  for (let file = 0; file < 20; file++) writeFileSync(join(root, 'src', String(folder), String(file)), 'x'.repeat(2000))
}
const { run, close } = await openTestEffects({ roots: [root] })
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

async function measure(name: string, count: number, work: () => Promise<unknown>): Promise<void> {
  const times: number[] = []
  const before = process.cpuUsage()
  for (let round = 0; round < count; round++) {
    const start = performance.now()
    await work()
    times.push(performance.now() - start)
  }
  const { user, system } = process.cpuUsage(before)
  const own = ((user + system) / 1000 / count).toFixed(1).padStart(8)
  times.sort((one, other) => one - other)
  const at = (part: number) => (times[Math.floor(times.length * part)] ?? 0).toFixed(1).padStart(8)
  console.log(`${name.padEnd(46)} median ${at(0.5)} ms   fastest tenth ${at(0.1)} ms   own CPU ${own} ms`)
}

await measure('true', rounds, () => plain('true', []))
await measure('true in bwrap alone', rounds, () =>
  plain('bwrap', [...BWRAP, '--dev', '/dev', '--proc', '/proc', 'true']),
)
await measure('true, read', rounds, () => run('true', { access: 'read' }))
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
