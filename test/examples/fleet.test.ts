import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { makeFolder } from '../helpers/makeFolder.ts'
import { startMessagesServer } from '../helpers/model/messagesServer.ts'
import { CLI_TEST_KEY } from '../helpers/runs/cliRun.ts'

/** `KODE_RUN_FLEET=200` plays as many repositories. */
const SIZE = Number(process.env['KODE_RUN_FLEET'] ?? 8)
const MINUTES = 120 * 60_000

const CLI = join(import.meta.dirname, '../../dist/cli.js')

/** The built command, in a process of its own. */
async function play(words: readonly string[], cwd: string, url: string) {
  const child = spawn(process.execPath, [CLI, ...words], {
    env: { PATH: process.env['PATH'], HOME: cwd, ANTHROPIC_API_KEY: CLI_TEST_KEY, ANTHROPIC_BASE_URL: url },
    ...{ cwd, stdio: ['ignore', 'pipe', 'pipe'] },
  })
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      output[name] += text
    })
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, ...output }
}

/** Repositories with one file each, and the policy outside of them. */
function makeFleet() {
  const folder = makeFolder()
  mkdirSync(join(folder, 'records'))
  writeFileSync(join(folder, 'policy.yml'), 'version: 1\npermissions: { presets: [read-only] }\n')
  for (let index = 0; index < SIZE; index++) {
    const cwd = join(folder, `repository-${index}`)
    mkdirSync(cwd)
    writeFileSync(join(cwd, 'README.md'), `repository ${index}.\n`)
    const commit = 'git init -q; git add .; git -c user.name=a -c user.email=a@example.com commit -qm a'
    execFileSync('sh', ['-ec', commit], { cwd, env: { PATH: process.env['PATH'], HOME: folder } })
  }
  return folder
}

it('plays a fleet under one rate limit, once each, and merges it', { tags: 'long', timeout: MINUTES }, async () => {
  const folder = makeFleet()
  let limited = 0
  const failed = new Set<string>()
  // Every fourth request meets the limit, whoever sends it. One in a hundred repositories fails at its first run.
  const server = await startMessagesServer(({ index, body }) => {
    if (index % 4 === 3) {
      limited += 1
      return { status: 429, errorType: 'rate_limit_error', headers: { 'retry-after': '1' } }
    }
    if (body.messages.length === 1) return { turn: { tools: [{ name: 'Read', input: { file_path: 'README.md' } }] } }
    const [, name = ''] = /repository (\d*05|5)\./.exec(JSON.stringify(body.messages)) ?? []
    const status = name === '' || failed.has(name) ? 'completed' : 'failed'
    if (status === 'failed') failed.add(name)
    return { turn: { tools: [{ name: 'Finish', input: { status, summary: 'All well.' } }] } }
  })
  onTestFinished(() => server.close())
  const runIndex = (index: number) => {
    const words = ['--policy', `${folder}/policy.yml`, '--once', '--transcript', `${folder}/records/${index}.jsonl`]
    return play(['Look around.', ...words], join(folder, `repository-${index}`), server.url)
  }
  const runAll = async (indexes: readonly number[]) => {
    const queue = [...indexes]
    const ended: Awaited<ReturnType<typeof play>>[] = []
    const work = async (): Promise<void> => {
      for (let index = queue.shift(); index !== undefined; index = queue.shift()) ended.push(await runIndex(index))
    }
    await Promise.all(Array.from({ length: 2 * availableParallelism() }, work))
    return ended
  }

  const start = performance.now()
  const ended = await runAll(Array.from({ length: SIZE }, (_, index) => index))
  const wall = Math.round(performance.now() - start)
  const bad = ended.filter(({ code }) => code !== 0)
  expect([bad.length, bad.every(({ code }) => code === 1)]).toEqual([failed.size, true])
  expect(failed.size).toBe(Math.ceil(SIZE / 100))
  const report = (...words: string[]) => play(['report', '--merge', 'records', ...words], folder, server.url)
  const { stdout: page } = await report('--format', 'html')
  expect(page.match(/<tr class="\w+"/g)?.slice(0, failed.size + 1)).toEqual([
    ...Array.from(failed, () => '<tr class="failed"'),
    '<tr class="good"',
  ])
  const answers = () => server.requests.length - limited
  expect(answers()).toBe(2 * SIZE)

  // All of them again: only those that failed ask anything.
  const again = await runAll(SIZE <= 20 ? ended.map((_, index) => index) : [0, 1, SIZE - 1, ...[...failed].map(Number)])
  expect(again.filter(({ code }) => code !== 0)).toEqual([])
  expect(answers()).toBe(2 * SIZE + 2 * failed.size)

  const merging = performance.now()
  const merged = await report('--format', 'json')
  const mergeWall = Math.round(performance.now() - merging)
  const { runs, outcomes, cost_usd } = JSON.parse(merged.stdout)
  expect([runs.length, outcomes.good, merged.code]).toEqual([SIZE, SIZE, 0])
  expect(runs.filter(({ attempts }: { attempts: number }) => attempts === 2)).toHaveLength(failed.size)
  const records = readdirSync(join(folder, 'records')).filter((name) => name.endsWith('.jsonl'))
  const costOf = (name: string): number => {
    const text = readFileSync(join(folder, 'records', name), 'utf8')
    return JSON.parse(text.trimEnd().split('\n').at(-1) ?? '').total_cost_usd
  }
  const sum = records.reduce((total, name) => total + costOf(name), 0)
  expect(cost_usd).toBeCloseTo(sum, 6)
  expect(cost_usd).toBeGreaterThan(0)
  if (process.env['KODE_RUN_FLEET'] !== undefined)
    console.log({ SIZE, wall, answers: answers(), limited, cost_usd, mergeWall, pageBytes: page.length })
})
