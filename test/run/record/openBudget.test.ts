import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeFolder } from '../../helpers/makeFolder.ts'
import { call, serveTurns } from '../../helpers/model/serveTurns.ts'
import { runCli, startCli } from '../../helpers/runs/cliRun.ts'
import { kodeRun } from '../../helpers/runs/kodeRun.ts'

function makeLedger(): string {
  const base = makeFolder()
  return join(base, 'ledger')
}

function policyOf(folder: string, limits: string, more = ''): string {
  return `version: 1\nrun: { ledger: { folder: ${folder}, limits: [${limits}] } }\n${more}`
}

/** One answer that costs 0.30 USD. */
const dear = { say: 'done', usage: { input_tokens: 150_000, output_tokens: 0 } }

it('refuses a run before its first request where a budget across runs is used up', async () => {
  const folder = makeLedger()
  const server = await serveTurns(dear)
  const policy = policyOf(folder, '{ usd: 0.25, every: day }')
  const first = await runCli(['x'], { server, policy })
  expect([first.code, first.warnings()]).toEqual([
    0,
    [
      expect.stringContaining('was not there and is new'),
      expect.stringContaining('Less than the budget of this run is left: of 0.25 USD a day 0 USD are spent'),
      ...first.warnings().slice(2),
    ],
  ])
  const second = await runCli(['x'], { server, policy })
  expect(second.code).toBe(4)
  expect(second.stderr.trim().split('\n')).toHaveLength(1)
  expect(second.stderr).toMatch(/used up: of 0\.25 USD a day 0\.3 USD are spent.*renews at .* UTC; raise this limit/)
  expect([server.requests.length, existsSync(second.transcript)]).toEqual([1, false])
  expect(readFileSync(second.summary, 'utf8')).toContain('`max_budget`, exit code 4')
  const usage = await kodeRun(['usage', folder, '--by', 'model', '--json'], { cwd: first.base })
  expect(JSON.parse(usage.stdout)).toMatchObject({
    rows: [{ key: 'claude-sonnet-5-5', runs: 1, answers: 1, tokens: 150_000, usd: 0.3, reserved_usd: 0 }],
    problems: [],
  })
})

it('ends a run that uses up what the ledger left', { tags: 'long' }, async () => {
  const folder = makeLedger()
  const look = { ...call('Read', { file_path: 'a.txt' }), usage: { input_tokens: 150_000, output_tokens: 0 } }
  const server = await serveTurns(look, look, look)
  const policy = policyOf(folder, '{ usd: 0.5 }')
  const run = await runCli(['x'], { server, policy, files: { 'a.txt': 'a' } })
  expect([run.code, server.requests.length]).toEqual([4, 2])
  expect(run.result()).toMatchObject({
    exit_reason: 'max_budget',
    detail: expect.stringMatching(/Spent: 0\.6000 USD, what the run had reserved \(run\.ledger\).*0\.5 USD in all/),
  })
})

it('counts tokens, and by repository', { tags: 'long' }, async () => {
  const folder = makeLedger()
  const server = await serveTurns(dear, dear)
  const policy = policyOf(folder, '{ tokens: 100000, per: repository }')
  const origin = (url: string) => (project: string) => {
    mkdirSync(join(project, '.git'))
    for (const [name, text] of [
      ['HEAD', 'ref: refs/heads/main\n'],
      ['config', `[core]\n\tbare = false\n[remote "origin"]\n\turl = ${url}\n\tfetch = x\n`],
    ] as const)
      writeFileSync(join(project, '.git', name), text)
  }
  const shop = origin('https://user:pass@git.example.com/team/shop.git')
  const first = await runCli(['x'], { server, policy, prepare: shop })
  const again = await runCli(['x'], { server, policy, prepare: origin('git@git.example.com:team/shop') })
  const other = await runCli(['x'], { server, policy, prepare: origin('ssh://git@git.example.com/team/blog.git') })
  expect([first.code, again.code, other.code]).toEqual([0, 4, 0])
  const table = await kodeRun(['usage', folder, '--by', 'repository'], { cwd: first.base })
  expect(table.stdout).toContain('git.example.com/team/shop')
  expect(first.records[0]).toMatchObject({ repository: 'git.example.com/team/shop' })
})

it.each([
  ['the checkout', 'LEDGER_IN_PROJECT', /must not contain each other; name a folder elsewhere/],
  ['a folder that commands may write', 'LEDGER_WRITABLE', /sandbox\.writable/],
  ['a relative path', './ledger', /must be absolute or start with ~\//],
])('refuses a ledger in %s', async (_, place, why) => {
  const base = makeLedger()
  mkdirSync(base)
  const folder = { LEDGER_IN_PROJECT: join(base, 'link'), LEDGER_WRITABLE: join(base, 'data') }[place] ?? place
  const policy = policyOf(folder, '', `sandbox: { writable: [${base}/data] }\n`)
  mkdirSync(join(base, 'data'))
  const prepare = (project: string) => symlinkSync(project, join(base, 'link'))
  const run = await runCli(['x'], { policy, prepare, server: await serveTurns(dear, {}) })
  expect([run.code, run.stderr]).toEqual([78, expect.stringMatching(why)])
})

it('needs a price for a limit in USD, a folder for any limit, and no replay', { tags: 'long' }, async () => {
  const folder = makeLedger()
  const policy = policyOf(folder, '{ usd: 1 }')
  const unpriced = await runCli(['x', '--model', 'my-model'], { policy })
  expect([unpriced.code, unpriced.stderr]).toEqual([78, expect.stringContaining('my-model under `pricing:`')])
  const files = { '.claude/agents/odd.md': '---\nname: odd\ndescription: odd\nmodel: my-model\n---\nGo.\n' }
  const server = await serveTurns({ say: 'done' })
  const ofAgent = await runCli(['x', '--agent', 'odd'], { policy, files, server })
  expect([ofAgent.code, ofAgent.stderr]).toEqual([78, expect.stringContaining('my-model under `pricing:`')])
  expect(server.requests).toHaveLength(0)
  const placeless = await runCli(['x'], { policy: 'version: 1\nrun: { ledger: { limits: [{ usd: 1 }] } }\n' })
  expect([placeless.code, placeless.stderr]).toEqual([78, expect.stringContaining('--ledger DIR')])
  const both = await runCli(['x'], { policy: policyOf(folder, '{ usd: 1, tokens: 5 }') })
  expect([both.code, both.stderr]).toEqual([78, expect.stringContaining('either `usd` or `tokens`')])
})

it('keeps the ledger from tools and commands', { tags: 'long' }, async () => {
  const folder = makeLedger()
  mkdirSync(folder)
  const program = `require('node:fs').writeFileSync('${folder}/2026-01-01-x.jsonl', '')`
  const server = await serveTurns(
    call('Bash', { command: `touch ${folder}/y` }),
    call('Write', { file_path: join(folder, 'z'), content: 'z' }),
    call('Bash', { command: `node -e "${program}"` }),
    { say: 'done' },
    call('Finish', { status: 'completed', summary: 'done' }),
  )
  const policy = policyOf(folder, '', `permissions: { allow: [Bash, "Edit(/${folder}/**)", Edit] }\n`)
  const run = await runCli(['x'], { server, policy })
  expect(run.toolResults().slice(0, 2)).toEqual([
    expect.stringContaining('never written'),
    expect.stringContaining('never written'),
  ])
  const hasWall = !run.warnings().some((text) => text.includes(`Only the permissions of ${folder}`))
  const foreign = readdirSync(folder).filter((name) => !/^(?:lock|\d{4}-.{36,}\.jsonl)$/.test(name))
  expect(foreign).toEqual(hasWall ? [] : ['2026-01-01-x.jsonl'])
})

it('loses at most one answer of a killed run', { tags: 'long' }, async () => {
  const folder = makeLedger()
  const look = { ...call('Read', { file_path: 'a.txt' }), usage: { input_tokens: 50_000, output_tokens: 0 } }
  const server = await serveTurns(look, { before: 'silent' })
  const policy = policyOf(folder, '{ usd: 1 }')
  const run = startCli(['x'], { server, policy, files: { 'a.txt': 'a' } })
  await expect.poll(() => server.requests.length).toBe(2)
  run.child.kill('SIGKILL')
  await run.ended()
  const usage = await kodeRun(['usage', folder, '--json'], { cwd: run.base })
  expect(JSON.parse(usage.stdout).total).toMatchObject({ answers: 1, usd: 0.1, reserved_usd: 0, is_lower_bound: true })
})
