import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeFolder } from '../helpers/makeFolder.ts'
import type { CliFolders } from '../helpers/runs/cliRun.ts'
import { playRun } from '../helpers/runs/playRun.ts'

/** Node 22 and later keep compiled code themselves, of all files, when a process ends. */
const isOwn = Number(process.versions.node.split('.')[0]) < 22

/** Runs inside the process under test: a word for each large script, how its code came. */
const SPY = `import vm, { Script } from 'node:vm'
import { appendFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
vm.Script = class extends Script {
  constructor(source, options) {
    super(source, options)
    const refused = this.cachedDataRejected ? 'refused' : 'taken'
    appendFileSync(process.env.SPY_FILE, (options.cachedData === undefined ? 'compiled' : refused) + ' ')
  }
}
syncBuiltinESMExports()`

const spiedBy = (spy: string) => `--import=data:text/javascript,${encodeURIComponent(spy)}`

/** A run whose answer takes as long as a model's. */
async function start(after?: CliFolders, env: Readonly<Record<string, string>> = {}) {
  const file = join(makeFolder(), 'scripts')
  const run = await playRun([{ turn: { say: 'done' }, chunkBytes: 100, dripMs: 300 }], {
    ...{ hasSummary: false, policy: { sandbox: { mode: 'off' } }, after },
    env: { NODE_OPTIONS: spiedBy(SPY), SPY_FILE: file, ...env },
  })
  expect(run.code, run.stderr).toBe(0)
  const compiled = join(run.home, '.local/state/kode-run/compiled')
  const kept = existsSync(compiled) ? readdirSync(compiled) : []
  return { run, compiled, kept, scripts: existsSync(file) ? readFileSync(file, 'utf8').trim() : '' }
}

async function takesCodeOfFirst() {
  const first = await start()
  expect(first.scripts).toBe('compiled compiled')
  expect(first.kept.map((name) => name.split('-')[0])).toEqual(['run', 'start'])
  expect((await start(first.run)).scripts).toBe('taken taken')

  const [name = ''] = first.kept
  const damaged = readFileSync(join(first.compiled, name))
  damaged[damaged.length >> 1] = (damaged[damaged.length >> 1] ?? 0) ^ 1
  writeFileSync(join(first.compiled, name), damaged)
  expect((await start(first.run)).scripts).toBe('taken compiled')

  // Others could have put code there.
  chmodSync(first.compiled, 0o777)
  expect((await start(first.run)).scripts).toBe('')
}

it('a script whose compiled code is kept loads optional packages, too', async () => {
  const spy = `import { ChildProcess } from 'node:child_process'
import { appendFileSync } from 'node:fs'
const { spawn } = ChildProcess.prototype
ChildProcess.prototype.spawn = function (options) {
  appendFileSync(process.env.SPY_FILE, options.file + '\\n')
  return spawn.call(this, options)
}`
  const SPY_FILE = join(makeFolder(), 'children')
  const run = await playRun([{ name: 'Grep', input: { pattern: 'hello', path: 'a' } }], {
    files: { 'a/b': 'hello' },
    policy: { permissions: { allow: ['Read'] }, sandbox: { mode: 'off' } },
    env: { NODE_OPTIONS: spiedBy(spy), SPY_FILE },
  })
  expect(run.toolResults().join('\n'), run.stderr).toContain('a/b')
  expect(readFileSync(SPY_FILE, 'utf8')).toContain('@vscode/ripgrep-')
})

it('a home that takes no folders holds nothing up (needs Linux)', { tags: 'long' }, async () => {
  const { run } = await start(undefined, { HOME: '/proc/none' })
  expect(run.result().exit_reason).toBe('completed')
})

it('nothing is kept where Node is told not to', { tags: 'long' }, async () => {
  expect((await start(undefined, { NODE_DISABLE_COMPILE_CACHE: '1' })).kept).toEqual([])
})

if (isOwn)
  it(
    'the second start takes the compiled code of the first, if nobody else can have changed it',
    { tags: 'long' },
    takesCodeOfFirst,
  )
else it("Node's compiled code is in the state folder", async () => expect((await start()).kept).not.toEqual([]))
