import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { makeFolder } from '../../helpers/makeFolder.ts'
import { kodeRun } from '../../helpers/runs/kodeRun.ts'
import { bash, playRun, read, startPlay, write } from '../../helpers/runs/playRun.ts'

const makeLedger = () => join(makeFolder(), 'ledger')
const policyOf = (folder: string, limits: object[], more: object = {}) => ({
  run: { ledger: { folder, limits } },
  ...more,
})

/** One answer that costs 0.30 USD. */
const dear = { say: 'done', usage: { input_tokens: 150_000, output_tokens: 0 } }

it('keeps what a run at work has reserved from the others', async () => {
  const more = { permissions: { allow: ['Bash', 'Edit(../begun)'] }, sandbox: { mode: 'off' } }
  const policy = policyOf(makeLedger(), [{ usd: 1 }], more)
  let base = ''
  const prepare = (project: string) => {
    base = dirname(project)
  }
  const first = playRun([bash('touch ../begun; until test -e ../go; do sleep 0.1; done')], { policy, prepare })
  await expect.poll(() => existsSync(join(base, 'begun')), { timeout: 20_000 }).toBe(true)
  const second = await playRun([], { policy })
  writeFileSync(join(base, 'go'), '')
  expect([second.code, (await first).code]).toEqual([4, 0])
})

it('counts tokens, and by repository', { tags: 'long' }, async () => {
  const folder = makeLedger()
  const policy = policyOf(folder, [{ tokens: 100000, per: 'repository' }])
  const play = (url: string) => {
    const config = `[core]\n\tbare = false\n[remote "origin"]\n\turl = ${url}\n\tfetch = x\n`
    return playRun([dear], { policy, files: { '.git/HEAD': 'ref: refs/heads/main\n', '.git/config': config } })
  }
  const first = await play('https://user:pass@git.example.com/team/shop.git')
  const again = await play('git@git.example.com:team/shop')
  const other = await play('ssh://git@git.example.com/team/blog.git')
  expect([first.code, again.code, other.code]).toEqual([0, 4, 0])
  const table = await kodeRun(['usage', folder, '--by', 'repository'], { cwd: first.base })
  expect(table.stdout).toContain('git.example.com/team/shop')
  expect(first.records[0]).toMatchObject({ repository: 'git.example.com/team/shop' })
})

it('refuses a ledger that a link leads into the checkout', async () => {
  const base = makeFolder()
  const prepare = (project: string) => symlinkSync(project, join(base, 'link'))
  const run = await playRun([], { policy: policyOf(join(base, 'link'), []), prepare })
  expect([run.code, run.stderr]).toEqual([78, expect.stringMatching(/must not contain each other/)])
})

it('keeps the ledger from tools and commands', { tags: 'long' }, async () => {
  const folder = makeLedger()
  mkdirSync(folder)
  const program = `require('node:fs').writeFileSync('${folder}/2026-01-01-x.jsonl', '')`
  const policy = policyOf(folder, [], { permissions: { allow: ['Bash', `Edit(/${folder}/**)`, 'Edit'] } })
  const calls = [bash(`touch ${folder}/y`), write(join(folder, 'z')), bash(`node -e "${program}"`)]
  const run = await playRun([...calls, { say: 'done' }], { policy })
  expect(run.told.slice(0, 2)).toEqual(Array(2).fill(expect.stringContaining('never written')))
  const hasWall = !run.warnings().some((text) => text.includes(`Only the permissions of ${folder}`))
  const foreign = readdirSync(folder).filter((name) => !/^(?:lock|\d{4}-.{36,}\.jsonl)$/.test(name))
  expect(foreign).toEqual(hasWall ? [] : ['2026-01-01-x.jsonl'])
})

it('loses at most one answer of a killed run', { tags: 'long' }, async () => {
  const folder = makeLedger()
  const look = { tools: [read('a.txt')], usage: { input_tokens: 50_000, output_tokens: 0 } }
  const options = { policy: policyOf(folder, [{ usd: 1 }]), files: { 'a.txt': 'a' } }
  const run = await startPlay([look, { before: 'silent' }], options)
  await expect.poll(() => run.api.requests.length).toBe(2)
  run.child.kill('SIGKILL')
  await run.ended()
  const usage = await kodeRun(['usage', folder, '--json'], { cwd: run.base })
  expect(JSON.parse(usage.stdout).total).toMatchObject({ answers: 1, usd: 0.1, reserved_usd: 0, is_lower_bound: true })
})
