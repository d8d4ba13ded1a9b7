import { cpSync, existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { commitAll } from './helpers/git.ts'
import { type CliRun, runCli } from './helpers/runs/cliRun.ts'
import { sampled } from './helpers/sampled.ts'

const FOLDER = join(import.meta.dirname, 'scenarios')

/** `expected.yml` of a scenario: what is on the disk and in the record when it is over. */
type Expected = {
  readonly exit: number
  /** `Tool outcome` of the main loop, in order; `agents` the same of all sub-agents, sorted. */
  readonly calls: readonly string[]
  readonly agents?: readonly string[]
  /** Whole texts, by path from the project. */
  readonly files?: Readonly<Record<string, string>>
  readonly there?: readonly string[]
  readonly missing?: readonly string[]
  /** What files among the artifacts contain. */
  readonly artifacts?: Readonly<Record<string, string>>
  /** What the web server of `web/` was asked. */
  readonly asked?: readonly string[]
  readonly summary?: readonly string[]
  readonly records?: readonly string[]
}

/** Serves the scenario's `web/` folder on loopback; `{{web}}` in policy and replay is its origin. */
async function serveWeb(folder: string) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    asked.push(path)
    const file = join(folder, new URL(path, 'http://web').pathname)
    response.setHeader('content-type', file.endsWith('.json') ? 'application/json' : 'text/html')
    if (existsSync(file)) response.end(readFileSync(file))
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { asked, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

/** Plays a scenario on a copy of its `repo/`; programs in its `bin/` stand before those of the machine. */
async function play(scenario: string) {
  const web = await serveWeb(join(scenario, 'web'))
  const text = (name: string) => readFileSync(join(scenario, name), 'utf8').replaceAll('{{web}}', web.origin)
  const run = await runCli(['--replay', '../replay.yml', text('prompt.md').trim()], {
    policy: text('policy.yml'),
    files: { '../replay.yml': text('replay.yml') },
    hasKey: false,
    env: { PATH: `${join(scenario, 'bin')}:${process.env['PATH']}` },
    prepare(project) {
      cpSync(join(scenario, 'repo'), project, { recursive: true })
      commitAll(project)
    },
  })
  return { run, asked: web.asked, expected: parse(text('expected.yml')) as Expected }
}

function outcomesOf({ records }: CliRun, isMain: boolean): string[] {
  return records.flatMap((record) =>
    record.type === 'user' && (record.parent_tool_use_id === null) === isMain
      ? (record.tool_use_result ?? []).map(({ tool_name, outcome }) => `${tool_name} ${outcome}`)
      : [],
  )
}

function expectDisk({ project, transcript, ...run }: CliRun, expected: Expected): void {
  for (const [path, text] of Object.entries(expected.files ?? {}))
    expect([path, readFileSync(join(project, path), 'utf8')]).toEqual([path, text])
  for (const path of expected.there ?? []) expect([path, existsSync(join(project, path))]).toEqual([path, true])
  for (const path of expected.missing ?? []) expect([path, existsSync(join(project, path))]).toEqual([path, false])
  const artifacts = join(dirname(transcript), `${run.result().session_id}-artifacts`)
  expect(existsSync(artifacts) ? readdirSync(artifacts).sort() : []).toEqual(Object.keys(expected.artifacts ?? {}))
  for (const [name, text] of Object.entries(expected.artifacts ?? {}))
    expect(readFileSync(join(artifacts, name), 'utf8')).toContain(text)
}

/** Processes that still work in a folder; seen by `/proc`, so none on other systems. */
function processesIn(folder: string): string[] {
  if (!existsSync('/proc')) return []
  return readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && workingFolder(pid).startsWith(folder))
}

function workingFolder(pid: string): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return ''
  }
}

describe('scenarios', () => {
  it.each(sampled(readdirSync(FOLDER), 1))('%s', async (name) => {
    const { run, asked, expected } = await play(join(FOLDER, name))
    expect([run.code, run.stderr]).toEqual([expected.exit, expect.any(String)])
    expect(outcomesOf(run, true)).toEqual(expected.calls)
    expect(outcomesOf(run, false).sort()).toEqual(expected.agents ?? [])
    expectDisk(run, expected)
    expect(processesIn(run.base)).toEqual([])
    if (expected.asked !== undefined) expect(asked).toEqual(expected.asked)
    const summary = readFileSync(run.summary, 'utf8')
    for (const text of expected.summary ?? []) expect(summary).toContain(text)
    const kinds = run.records.map((record) => ('subtype' in record ? `${record.type}/${record.subtype}` : record.type))
    expect(kinds).toEqual(expect.arrayContaining([...(expected.records ?? [])]))
    expect([kinds[0], kinds.at(-1)?.split('/')[0]]).toEqual(['system/init', 'result'])
  })
})
