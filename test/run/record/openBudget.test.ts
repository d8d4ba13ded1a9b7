import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
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

it('keeps what a run at work has reserved from the others', async () => {
  const policy = policyOf(
    makeLedger(),
    '{ usd: 1 }',
    'permissions: { allow: [Bash, "Edit(../begun)"] }\nsandbox: { mode: off }\n',
  )
  const waits = call('Bash', { command: 'touch ../begun; until test -e ../go; do sleep 0.1; done' })
  const server = await serveTurns(waits, { say: 'done' })
  let base = ''
  const prepare = (project: string) => {
    base = dirname(project)
  }
  const first = runCli(['x'], { server, policy, prepare })
  await expect.poll(() => existsSync(join(base, 'begun')), { timeout: 20_000 }).toBe(true)
  const second = await runCli(['x'], { server: await serveTurns(), policy })
  writeFileSync(join(base, 'go'), '')
  expect([second.code, (await first).code]).toEqual([4, 0])
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

it('refuses a ledger that a link leads into the checkout', async () => {
  const base = makeFolder()
  const prepare = (project: string) => symlinkSync(project, join(base, 'link'))
  const run = await runCli(['x'], { policy: policyOf(join(base, 'link'), ''), prepare })
  expect([run.code, run.stderr]).toEqual([78, expect.stringMatching(/must not contain each other/)])
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
