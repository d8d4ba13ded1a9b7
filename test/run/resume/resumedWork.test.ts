import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { verifyTranscript } from '../../../src/report/transcript/verifyTranscript.ts'
import { serveTurns } from '../../helpers/model/serveTurns.ts'
import { runCli } from '../../helpers/runs/cliRun.ts'
import { bash, playRun, read, startPlay } from '../../helpers/runs/playRun.ts'
import { commit, killedRun, POLICY, resume, SLOW } from '../../helpers/runs/resumedRuns.ts'
import { sampled } from '../../helpers/sampled.ts'

/** In a project of its own. */
const ELSEWHERE = { after: undefined }

describe('the work tree', { tags: 'long' }, () => {
  const limited = () => {
    const lines = ['echo one >> log.txt', 'echo changed >> start.txt'].map((line) => bash(line))
    return playRun([lines], { args: ['--max-turns', '1'], policy: POLICY, prepare: commit })
  }

  it('of another machine is restored by --apply-patch, and the new patch contains both changes', async () => {
    const run = await limited()
    const elsewhere = { args: ['--apply-patch'], ...ELSEWHERE, prepare: commit }
    const ended = await resume(run, elsewhere, bash('echo two >> log.txt'))
    expect([ended.code, readFileSync(join(ended.project, 'log.txt'), 'utf8')]).toEqual([0, 'one\ntwo\n'])
    expect(ended.result().changes).toMatchObject([
      { path: 'log.txt', status: 'added', added: 2 },
      { path: 'start.txt', status: 'modified', added: 1, by: ['resumed'] },
    ])
  })

  it('of the same machine already has the changes; the new patch contains both', async () => {
    const run = await limited()
    const ended = await resume(run, {}, bash('echo two >> log.txt'))
    expect(ended.code).toBe(0)
    expect(ended.result()).toMatchObject({ changes: [{ path: 'log.txt', added: 2 }, { path: 'start.txt' }] })
    expect(ended.warnings()).toEqual([])
  })

  it('that lost the changes is a warning; one where they do not apply exits with 65', async () => {
    const run = await limited()
    const fresh = await resume(run, { ...ELSEWHERE, prepare: commit })
    expect(fresh.warnings()).toEqual([expect.stringContaining('are not as the run left them')])
    const args = ['--apply-patch']
    const refused = await resume(run, { args, ...ELSEWHERE, files: { 'start.txt': 'other\n' } })
    expect([refused.code, refused.stderr]).toEqual([65, expect.stringContaining('--apply-patch')])
    const none = await resume(await killedRun(), { args })
    expect([none.code, none.stderr]).toEqual([65, expect.stringContaining('killed')])
  })
})

describe('the patch of a transcript', { tags: 'long' }, () => {
  const OPEN = `version: 1
sandbox: { mode: off }
permissions: { allow: ["Bash(sh work.sh)", "Edit(**)", "Edit(.github/workflows/**)", "Edit(.npmrc)"] }
`
  const STRICT = 'version: 1\npermissions: { allow: ["Edit(*.txt)", "Edit(src/**)"], deny: ["Edit(src/fixed/**)"] }\n'

  const PATCHES = [
    ['mkdir -p .github/workflows && echo "on: push" > .github/workflows/x.yml', '.github/workflows/x.yml'],
    ['ln -s start.txt link.txt', 'is a link'],
    ['mkdir -p src/fixed && echo x > src/fixed/a', 'deny Edit(src/fixed/**)'],
    ['echo script-shell=/tmp/x > .npmrc', '.npmrc'],
    ['mkdir -p src && echo x > src/.npmrc', 'src/.npmrc'],
    ['mkdir -p docs && echo x > docs/a.md', 'is not covered by an Edit rule'],
  ] as const

  it.each(sampled(PATCHES, 1, 3))('is judged like an edit: %s', async (work, words) => {
    const place = { files: { 'work.sh': `${work}; echo one >> a.txt` }, prepare: commit }
    const first = await playRun([bash('sh work.sh')], { policy: OPEN, ...place })
    expect(first.result().patch).toContain('a.txt')
    const args = ['--apply-patch', '--accept-policy-change']
    const then = await resume(first, { args, prompt: 'more', policy: STRICT, ...ELSEWHERE, ...place })
    expect([then.code, then.stderr]).toEqual([65, expect.stringContaining(words)])
    const status = execFileSync('git', ['status', '--porcelain'], { cwd: then.project, encoding: 'utf8' })
    expect(status).toBe('')
  })

  it('keeps modes, and does not follow a link in the way', async () => {
    const policy = 'version: 1\nsandbox: { mode: off }\npermissions: { allow: ["Bash(sh work.sh)", "Edit(src/**)"] }\n'
    const files = { 'work.sh': 'mkdir -p src; echo true > src/run; chmod 755 src/run', 'src/a': 'a\n' }
    const first = await playRun([bash('sh work.sh')], { policy, files, prepare: commit })
    const go = (change: (project: string) => void) => {
      const prepare = (project: string) => {
        commit(project)
        change(project)
      }
      return resume(first, { args: ['--apply-patch'], prompt: 'more', policy, ...ELSEWHERE, files, prepare })
    }
    const good = await go(() => undefined)
    expect([good.code, statSync(join(good.project, 'src/run')).mode & 0o111]).toEqual([0, 0o111])
    const bad = await go((project) => {
      rmSync(join(project, 'src'), { recursive: true })
      mkdirSync(join(project, '../elsewhere'))
      symlinkSync('../elsewhere', join(project, 'src'))
    })
    expect([bad.code, readdirSync(join(bad.base, 'elsewhere'))]).toEqual([65, []])
  })
})

describe('the conversation', () => {
  it('continues from its last compaction', { tags: 'long' }, async () => {
    const small = `${POLICY}run: { contextWindow: 20000 }\n`
    const server = await serveTurns(({ body }) => {
      if (JSON.stringify(body.system).includes('summarize the work')) return { say: 'It is half done.' }
      const isFirst = body.messages.length === 1 && !JSON.stringify(body.messages).includes('half done')
      return { tools: [read('start.txt')], usage: { input_tokens: isFirst ? 19_500 : 100, output_tokens: 10 } }
    })
    const files = { 'start.txt': 'x'.repeat(9000) }
    const run = await runCli(['the task', '--max-turns', '2'], { server, policy: small, files })
    expect(run.code).toBe(4)
    const next = await resume(run, { policy: small })
    expect(next.code).toBe(0)
    const { messages } = next.api.requests[0]?.body ?? {}
    expect(messages).toHaveLength(3)
    expect(messages[0].content[0].text).toMatch(/^the task\n[\s\S]*half done/)
  })

  it('does not contain a discarded answer or its early calls', { tags: 'long' }, async () => {
    const cut = { turn: { tools: [read('start.txt'), bash('echo cut >> log.txt')] }, cutAtByte: 1150 }
    const whole = { tools: [bash('echo whole >> log.txt')], stop: 'max_tokens' } as const
    const args = ['--output-format', 'stream-json']
    const run = await startPlay([cut, whole, bash(SLOW)], { args, policy: POLICY, prepare: commit })
    await run.saw(`"tool_input":{"command":"${SLOW}"}`)
    run.child.kill('SIGTERM')
    const ended = await run.ended()
    expect(ended.code).toBe(143)
    expect(await verifyTranscript(run.transcript)).toMatchObject({ isIntact: true })
    const next = await resume(run)
    const text = JSON.stringify(next.api.requests[0]?.body.messages)
    expect(text).not.toMatch(/echo whole|echo cut|start\.txt/)
    expect(text).toMatch(/sleep 60.*sigterm/)
  })
})
