import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { hasBubblewrap } from '../helpers/bubblewrap.ts'
import { commitAll } from '../helpers/git.ts'
import { makeFolder } from '../helpers/makeFolder.ts'
import { serveTurns } from '../helpers/model/serveTurns.ts'
import { type CliOptions, runCli } from '../helpers/runs/cliRun.ts'

/*
 * What a run does before its first request and after its last answer, without a clock. A bound that breaks is either work that
 * nobody needs there, or a price: then its commit says what it buys.
 */

/** Runs inside the process under test: a line for each child that it starts. */
const SPY = `import { ChildProcess } from 'node:child_process'
import { appendFileSync } from 'node:fs'
const { spawn } = ChildProcess.prototype
ChildProcess.prototype.spawn = function (options) {
  appendFileSync(process.env.SPY_FILE, options.args.map((word) => word.slice(0, 200)).join(' ').replaceAll('\\n', ' ') + '\\n')
  return spawn.call(this, options)
}`

/** One answer: the children before its request and after it, and the files of the program that were loaded. */
async function oneAnswer(options: CliOptions) {
  const folder = makeFolder()
  const file = join(folder, 'children')
  const children = () => (existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [])
  let before: readonly string[] = []
  const server = await serveTurns(() => {
    before = children()
    return { say: 'done' }
  })
  const run = await runCli(['go'], {
    server,
    files: { a: 'a\n' },
    prepare: commitAll,
    ...options,
    env: {
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(SPY)}`,
      NODE_V8_COVERAGE: join(folder, 'coverage'),
      SPY_FILE: file,
    },
  })
  expect(run.code, run.stderr).toBe(0)
  return { before, after: children().slice(before.length), loaded: loadedBy(join(folder, 'coverage')) }
}

function loadedBy(coverage: string): string[] {
  const scripts = readdirSync(coverage).flatMap((name) => {
    const { result } = JSON.parse(readFileSync(join(coverage, name), 'utf8')) as { result: { url: string }[] }
    const files = result.map(({ url }) => (url.startsWith('file:') ? fileURLToPath(url) : url))
    return files.filter((file) => file.includes('/dist/'))
  })
  return [...new Set(scripts)]
}

const POLICY = 'version: 1\npermissions: { allow: [Bash, Edit, Read] }\n'

const AT_MOST = 'one answer starts what tests the sandbox, and nothing at its end (needs bubblewrap)'
it.skipIf(!hasBubblewrap)(AT_MOST, { tags: 'long' }, async () => {
  const { before, after } = await oneAnswer({ policy: POLICY })
  // The network of the run, a command in a view of the checkout, and what reads that view.
  expect(before.map((line) => basename(line.split(' ')[0] ?? ''))).toEqual(['bwrap', 'nsenter', 'tar'])
  expect(after).toEqual([])
})

it('without a sandbox it starts nothing at all', { tags: 'long' }, async () => {
  const { before, after } = await oneAnswer({ policy: `${POLICY}sandbox: { mode: off }\n` })
  expect([before, after]).toEqual([[], []])
})

it('it loads what each start and each run needs, and no proxies, commands, pages and other commands of kode-run', async () => {
  const { loaded } = await oneAnswer({ policy: POLICY })
  const names = loaded.map((file) => basename(file).replace(/-[\w-]{8}\.cjs$/, ''))
  expect(names.toSorted()).toEqual(['cli', 'cli.js', 'hideSecrets', 'rolldown-runtime', 'run', 'start'])
  expect(loaded.reduce((sum, file) => sum + statSync(file).size, 0)).toBeLessThanOrEqual(BYTES)
})

const BYTES = 2_047_800
