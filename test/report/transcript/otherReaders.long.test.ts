import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromium } from 'playwright-core'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { findChromium } from '../../helpers/chromium.ts'
import { commitAll } from '../../helpers/git.ts'
import { freePort } from '../../helpers/listenHere.ts'
import { type CliRun, runCli } from '../../helpers/runs/cliRun.ts'
import { installPackages } from '../../helpers/runs/npmPackages.ts'

const CCUSAGE = '20.0.24'
const WHOLE = [
  `ccusage@${CCUSAGE}`,
  `@ccusage/ccusage-${process.platform}-${process.arch}@${CCUSAGE}`,
  '@anthropic-ai/claude-agent-sdk@0.3.332',
  // What the server of claude-run needs; its page is built.
  ...['hono@4', '@hono/node-server@1', 'chokidar@4', 'commander@13', 'open@10'],
]

/** What docs/transcript.md tells people to do: to copy transcripts and to ask ccusage, and to list them for claude-run. */
const [READ = [], LIST = []] = readFileSync(join(import.meta.dirname, '../../../docs/transcript.md'), 'utf8')
  .split('```sh\n')
  .map((block) => (block.split('\n```')[0] ?? '').split('\n'))
  .filter((lines) => lines.some((line) => line.includes('usage/')))

const usage = (n: number) => `{ input_tokens: ${n}, output_tokens: ${n + 1}, cache_read_input_tokens: ${n + 2} }`

/** A run with a sub-agent, a question to another model, and an answer that breaks off. */
const REPLAY = `
- say: First words, never whole.
  drop: mid
- tools:
    - { name: ToolSearch, input: { query: "select:Agent,AskExpertModel" } }
  usage: ${usage(1_000)}
- tools:
    - { name: Agent, input: { subagent_type: Explore, description: find it, prompt: Where is the greeting? } }
  usage: ${usage(2_000)}
- for: Where is the greeting?
  tools: [{ name: Grep, input: { pattern: greeting } }]
  usage: ${usage(3_000)}
- for: Where is the greeting?
  say: In greeting.js, says the sub-agent.
  usage: ${usage(4_000)}
- tools:
    - { name: AskExpertModel, input: { question: Is one line enough? } }
  usage: ${usage(5_000)}
- for: Is one line enough?
  say: "Yes."
  usage: ${usage(6_000)}
- say: The greeting is in greeting.js.
  tool: Finish
  input: { status: completed, summary: It is in greeting.js. }
  usage: ${usage(7_000)}
`

type Session = {
  readonly sessionId: string
  readonly totalCost: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cacheReadTokens: number
  readonly modelBreakdowns: readonly { readonly modelName: string; readonly cost: number }[]
}

type Sdk = {
  listSessions(): Promise<readonly { readonly sessionId: string; readonly cwd: string; readonly gitBranch: string }[]>
  getSessionMessages(id: string): Promise<
    readonly {
      readonly type: string
      readonly message: { readonly content: readonly { readonly type: string; readonly text?: string }[] }
    }[]
  >
}

describe('readers of Claude Code sessions', () => {
  let packages: string | undefined
  let run: CliRun
  let home: string

  beforeAll(async () => {
    packages = installPackages({ whole: WHOLE, alone: 'claude-run@0.3.0' })
    run = await runCli(['--replay', '../replay.yml', 'Find the greeting.'], {
      policy: 'version: 1\npermissions: { presets: [read-only], allow: [Agent, AskExpertModel] }\n',
      files: { 'greeting.js': 'export const greeting = 1\n', '../replay.yml': REPLAY },
      hasKey: false,
      prepare(project) {
        commitAll(project)('branch', '-qM', 'work')
      },
    })
    const state = join(run.base, 'state', 'kode-run')
    mkdirSync(state, { recursive: true })
    cpSync(run.transcript, join(state, `${run.result().session_id}.jsonl`))
    home = join(run.base, 'usage')
    shell(READ.slice(0, 2))
  }, 300_000)

  /** Lines of the document, with the programs of the packages. */
  function shell(lines: readonly string[]): string {
    const { RUNNER_TEMP: _, ...inherited } = process.env
    const PATH = `${packages}/node_modules/.bin:${process.env['PATH']}`
    const env = { ...inherited, PATH, HOME: home, XDG_STATE_HOME: join(run.base, 'state') }
    const script = lines.join('\n').replace('npx ', '')
    return execFileSync('sh', ['-ec', script], { cwd: run.base, env, encoding: 'utf8' })
  }

  const folder = (skip: (why: string) => never) => packages ?? skip('needs the npm registry')

  it('plays all that is paid for', () => {
    expect([run.code, run.stderr]).toEqual([0, expect.anything()])
    const kinds = run.records.map((record) => (record.type === 'system' ? record.subtype : record.type))
    expect(kinds).toEqual(expect.arrayContaining(['turn_discarded', 'model_call']))
  })

  it('ccusage shows the tokens and the cost of the run', ({ skip }) => {
    folder(skip)
    const report = shell(READ.slice(2).map((line) => `${line} --json`))
    const { sessions } = JSON.parse(report) as { readonly sessions: readonly Session[] }
    const result = run.result()
    expect(result.total_cost_usd).toBeGreaterThan(0.1)
    expect(sessions).toHaveLength(1)
    expect(sessions[0]).toMatchObject({
      sessionId: result.session_id,
      inputTokens: result.usage.input_tokens,
      outputTokens: result.usage.output_tokens,
      cacheReadTokens: result.usage.cache_read_input_tokens,
      totalCost: expect.closeTo(result.total_cost_usd ?? -1, 8),
    })
    const costs = sessions[0]?.modelBreakdowns.map(({ modelName, cost }) => [modelName, Number(cost.toFixed(8))])
    const ours = Object.entries(result.modelUsage).map(([model, { costUSD }]) => [model, Number(costUSD?.toFixed(8))])
    expect(costs?.toSorted()).toEqual(ours.toSorted())
  })

  it("Claude Code's SDK finds the session, and its messages in order", async ({ skip }) => {
    const entry = join(folder(skip), 'node_modules/@anthropic-ai/claude-agent-sdk/sdk.mjs')
    const script = `
      const sdk = await import(${JSON.stringify(pathToFileURL(entry).href)})
      const [session, ...others] = await sdk.listSessions()
      console.log(JSON.stringify([session, others, await sdk.getSessionMessages(session.sessionId)]))`
    const env = { ...process.env, HOME: home, CLAUDE_CONFIG_DIR: home }
    const out = execFileSync(process.execPath, ['--input-type=module', '-e', script], { env, encoding: 'utf8' })
    const [session, others, messages] = JSON.parse(out) as [
      Awaited<ReturnType<Sdk['listSessions']>>[number],
      readonly unknown[],
      Awaited<ReturnType<Sdk['getSessionMessages']>>,
    ]
    expect(others).toEqual([])
    expect(session).toMatchObject({ sessionId: run.result().session_id, cwd: run.project, gitBranch: 'work' })
    // All of the main conversation and nothing of the sub-agent, as Claude Code's own sessions have it.
    const main = run.records.filter(
      (record) => (record.type === 'user' || record.type === 'assistant') && record.parent_tool_use_id === null,
    )
    expect(messages.map(({ message }) => message)).toEqual(main.map((record) => 'message' in record && record.message))
    expect(messages.length).toBeGreaterThan(7)
  })

  it('claude-run renders it (needs chromium and jq)', async ({ skip }) => {
    const executablePath = findChromium() ?? skip('needs chromium')
    if (spawnSync('jq', ['--version']).status !== 0) skip('needs jq')
    shell(LIST)
    const port = await freePort()
    const server = spawn(
      process.execPath,
      [join(folder(skip), 'alone', 'dist', 'index.js'), '--no-open', '--port', String(port), '--dir', home],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
    onTestFinished(() => void server.kill())
    const url = `http://localhost:${port}/`
    await expect.poll(() => fetch(url).catch(() => undefined)).toMatchObject({ ok: true })
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
    onTestFinished(() => browser.close())
    const page = await browser.newPage()
    await page.goto(url)
    await page.getByText('Find the greeting.').first().click()
    await page.getByText('The greeting is in greeting.js.').first().waitFor()
    const text = await page.locator('body').innerText()
    for (const name of ['ToolSearch', 'Agent', 'AskExpertModel', 'Finish']) expect(text).toContain(name)
  })
})
