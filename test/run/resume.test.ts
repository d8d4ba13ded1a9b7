import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { ResumedEvent } from '../../src/contracts/events.ts'
import { ownedFolder } from '../../src/lib/fs/ownedFolder.ts'
import { ownIdentity } from '../../src/lib/process/processIdentity.ts'
import type { Turn } from '../../src/model/replay/renderTurn.ts'
import { verifyTranscript } from '../../src/report/transcript/verifyTranscript.ts'
import { type Step, startMessagesServer } from '../helpers/model/messagesServer.ts'
import { type CliFolders, type CliOptions, runCli, startCli } from '../helpers/runs/cliRun.ts'
import { sampled } from '../helpers/sampled.ts'

const POLICY =
  'version: 1\npermissions: { presets: [read-only], allow: ["Bash(echo *)", "Bash(sleep *)", "Edit(*.txt)"] }\n'

async function serve(...steps: readonly (Step | Turn)[]) {
  const server = await startMessagesServer(
    steps.map((step) => ('say' in step || 'tools' in step ? { turn: step as Turn } : (step as Step))),
  )
  onTestFinished(() => server.close())
  return server
}

const bash = (command: string) => ({ name: 'Bash', input: { command } })
const DONE: Turn = { say: 'done' }

/** Goes on with a run, in the same project. */
function resume(run: CliFolders, args: readonly string[], options: CliOptions = {}) {
  return runCli(['--resume', run.transcript, ...args], { policy: POLICY, after: run, ...options })
}

/** A run that is killed while it sleeps in its second call; the first wrote a file. */
async function killedRun(more = '', until?: (transcript: string) => Promise<unknown>) {
  const server = await serve(
    { tools: [bash('echo one >> log.txt')] },
    { tools: [bash('sleep 60'), bash('echo two >> log.txt')] },
  )
  const run = startCli(['write the log', '--output-format', 'stream-json'], {
    server,
    policy: POLICY + more,
    prepare: commit,
  })
  await run.saw('"tool_input":{"command":"sleep 60"}')
  await until?.(run.transcript)
  run.child.kill('SIGKILL')
  await run.ended()
  return run
}

function commit(project: string): void {
  writeFileSync(join(project, 'start.txt'), 'start\n')
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
      cwd: project,
      env: { ...process.env, GIT_AUTHOR_DATE: '2026-01-01T00:00Z', GIT_COMMITTER_DATE: '2026-01-01T00:00Z' },
    })
  git('init', '-q', '-b', 'main')
  git('add', '-A')
  git('commit', '-qm', 'start')
}

describe('a killed run', () => {
  it('goes on; a call whose outcome is unknown is not run again, and the model is told so', async () => {
    const run = await killedRun()
    const server = await serve({ tools: [bash('echo two >> log.txt')] }, DONE)
    const ended = await resume(run, [], { server })
    expect([ended.code, ended.stderr]).toEqual([0, expect.any(String)])
    const { messages } = server.requests[0]?.body ?? {}
    expect(messages).toHaveLength(5)
    expect(messages[0].content[0].text).toBe('write the log')
    const [unknown, never, words] = messages[4].content
    expect(unknown).toMatchObject({ is_error: true, content: expect.stringMatching(/^Interrupted, outcome unknown/) })
    expect(never).toMatchObject({ is_error: true, content: 'Not run: the run ended before this call started.' })
    expect(words.text).toContain('killed, without a last record')
    expect(readFileSync(join(run.project, 'log.txt'), 'utf8')).toBe('one\ntwo\n')
    const [init, resumed] = ended.records
    expect(init).toMatchObject({ resumed_from: { run: expect.any(String), seq: expect.any(Number) } })
    expect(resumed).toMatchObject({ subtype: 'resumed', used: { turns: 2, tool_calls: 3 } })
    expect(await verifyTranscript(ended.transcript)).toMatchObject({ isIntact: true })
  })

  it('goes on again from the record of its resume alone, with what is new', { tags: 'long' }, async () => {
    const run = await killedRun()
    const first = await resume(run, ['--max-turns', '3'], {
      server: await serve({ tools: [bash('echo two >> log.txt')] }),
    })
    const again = { ...run, transcript: join(run.base, 'moved', 'second.jsonl') }
    cpSync(first.transcript, again.transcript, { recursive: true })
    writeFileSync(run.transcript, '')
    const server = await serve(DONE)
    const ended = await runCli(['--resume', again.transcript, 'and now sing'], { server, policy: POLICY })
    expect(ended.code).toBe(0)
    const text = JSON.stringify(server.requests[0]?.body.messages)
    expect(text).toMatch(/write the log.*echo one.*outcome unknown.*echo two.*max_turns.*and now sing/)
    const resumed = ended.records[1] as ResumedEvent
    expect(resumed.used).toMatchObject({ turns: 3, tool_calls: 4 })
  })

  it('keeps its counts against the limits', async () => {
    const run = await killedRun()
    const server = await serve()
    const ended = await resume(run, ['--max-turns', '2'], { server })
    expect([ended.code, server.requests.length]).toEqual([4, 0])
  })

  it('leaves out a torn last line, and warns', { tags: 'long' }, async () => {
    const run = await killedRun()
    appendFileSync(run.transcript, '{"v":1,"run":"x"')
    const ended = await resume(run, [], { server: await serve(DONE) })
    expect(ended.code).toBe(0)
    expect(ended.records).toContainEqual(expect.objectContaining({ message: expect.stringContaining('torn') }))
  })
})

describe.runIf(process.platform === 'linux')('what a killed run left', () => {
  it('running is ended before the new run begins, and the model is told', { tags: 'long' }, async () => {
    const markerOf = (transcript: string) => {
      const [first = '{}'] = readFileSync(transcript, 'utf8').split('\n')
      return `KODE_RUN_ID=${JSON.parse(first).run}`
    }
    const run = await killedRun('sandbox: { mode: off }\n', (transcript) =>
      expect.poll(() => bearers(markerOf(transcript)), { timeout: 20_000 }).not.toEqual([]),
    )
    const marker = markerOf(run.transcript)
    expect(bearers(marker)).not.toEqual([])
    const server = await serve(DONE)
    const ended = await resume(run, ['--accept-policy-change'], { server })
    expect([ended.code, bearers(marker)]).toEqual([0, []])
    const text = JSON.stringify(server.requests[0]?.body.messages.at(-1))
    expect(text).toMatch(/A process of before was still running: .*sleep 60.*, ended now/)
    expect(ended.records).toContainEqual(
      expect.objectContaining({ code: 'start', message: expect.stringMatching(/left a process: .*sleep 60/) }),
    )
  })

  it('of temporary folders is removed by the next run', { tags: 'long' }, async () => {
    const run = await killedRun()
    const tmp = mkdtempSync(join(run.base, 'tmp-'))
    const dead = { ...ownIdentity(), pid: run.child.pid ?? 0 }
    for (const name of ['account', 'hooks', 'base']) {
      mkdirSync(join(tmp, `kode-run-${name}-x`, 'deep'), { recursive: true })
      writeFileSync(join(tmp, `kode-run-${name}-x`, '.owner'), JSON.stringify(dead))
    }
    const living = ownedFolder(tmp, 'kode-run-account-')
    const ended = await resume(run, [], { server: await serve(DONE), env: { TMPDIR: tmp } })
    expect([ended.code, readdirSync(tmp)]).toEqual([0, [basename(living)]])
  })

  it.each(
    sampled(
      [
        ['an empty transcript', ''],
        ['a torn first record', '{"v":1,"run":"x","seq":1,"prev"'],
      ],
      1,
    ),
  )(
    'where it was nothing (%s): without a task there is nothing to do, with one it starts',
    { tags: 'long' },
    async (_name, text) => {
      const run = await killedRun()
      writeFileSync(run.transcript, text)
      const refused = await resume(run, [], { server: await serve() })
      expect([refused.code, refused.stderr]).toEqual([
        2,
        expect.stringContaining('It did nothing: start it again, without --resume'),
      ])
      const server = await serve(DONE)
      const started = await resume(run, ['write the log'], { server })
      expect(started.code).toBe(0)
      expect(JSON.stringify(server.requests[0]?.body.messages)).toContain('write the log')
      expect(started.records).toContainEqual(
        expect.objectContaining({ message: expect.stringContaining('killed before its first record') }),
      )
    },
  )

  it('a file that is no transcript is damaged, not empty', { tags: 'long' }, async () => {
    const run = await killedRun()
    writeFileSync(run.transcript, 'notes')
    expect((await resume(run, ['x'], { server: await serve() })).code).toBe(65)
  })
})

/** The processes that bear this variable. */
function bearers(marker: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(marker)
    } catch {
      return false
    }
  })
}

describe('what stands against going on', () => {
  it('a record that was changed: 65, unless --repair', async () => {
    const run = await killedRun()
    const lines = readFileSync(run.transcript, 'utf8').split('\n')
    const line = lines.findIndex((text) => text.includes('echo one'))
    writeFileSync(run.transcript, lines.with(line, lines[line]?.replace('one', 'ten') ?? '').join('\n'))
    const refused = await resume(run, [], { server: await serve() })
    expect([refused.code, refused.stderr]).toEqual([
      65,
      expect.stringMatching(/line \d+: it does not follow.*--repair/),
    ])
    const server = await serve(DONE)
    expect((await resume(run, ['--repair'], { server })).code).toBe(0)
  })

  it('lines that are missing: 65, and with --repair every call still has a result', { tags: 'long' }, async () => {
    const run = await killedRun()
    const lines = readFileSync(run.transcript, 'utf8').split('\n')
    const result = lines.findIndex((line) => line.includes('"tool_result"'))
    writeFileSync(run.transcript, lines.toSpliced(result, 1).join('\n'))
    expect((await resume(run, [], { server: await serve() })).code).toBe(65)
    const server = await serve(DONE)
    expect((await resume(run, ['--repair'], { server })).code).toBe(0)
    expect(JSON.stringify(server.requests[0]?.body.messages)).toContain('Interrupted, outcome unknown')
  })

  it('no transcript at all: 65', { tags: 'long' }, async () => {
    const ended = await runCli(['--resume', '/nowhere.jsonl'], { server: await serve() })
    expect(ended.code).toBe(65)
  })

  it('another policy: 78, unless --accept-policy-change; then the model is told', async () => {
    const run = await killedRun()
    const policy = `${POLICY}# changed\n`
    const refused = await resume(run, [], { server: await serve(), policy })
    expect([refused.code, refused.stderr]).toEqual([78, expect.stringContaining('--accept-policy-change')])
    const server = await serve(DONE)
    expect((await resume(run, ['--accept-policy-change'], { server, policy })).code).toBe(0)
    expect(JSON.stringify(server.requests[0]?.body.messages)).toContain('The policy is another one now')
  })

  it('another commit: a warning', { tags: 'long' }, async () => {
    const run = await killedRun()
    commitAgain(run.project)
    const ended = await resume(run, [], { server: await serve(DONE) })
    expect(ended.code).toBe(0)
    expect(ended.records).toContainEqual(
      expect.objectContaining({ message: expect.stringContaining('is checked out now') }),
    )
  })

  it('its own process, or another resume of it, still alive: 75', { tags: 'long' }, async () => {
    const server = await serve({ tools: [bash('sleep 60')] })
    const run = startCli(['x', '--output-format', 'stream-json'], { server, policy: POLICY })
    await run.saw('"tool_input":{"command":"sleep 60"}')
    const early = await resume(run, [], { server: await serve() })
    expect([early.code, early.stderr]).toEqual([75, expect.stringContaining(`pid ${run.child.pid} on `)])
    run.child.kill('SIGKILL')
    await run.ended()
    const own = ['--resume', run.transcript, '--output-format', 'stream-json']
    const first = startCli(own, { after: run, server: await serve({ tools: [bash('sleep 60')] }), policy: POLICY })
    await first.saw('"tool_input":{"command":"sleep 60"}')
    const second = await resume(run, [], { server: await serve() })
    expect([second.code, second.stderr]).toEqual([75, expect.stringContaining(`pid ${first.child.pid} on `)])
    first.child.kill('SIGTERM')
    expect((await first.ended()).code).toBe(143)
    expect((await resume(run, [], { server: await serve(DONE) })).code).toBe(0)
  })

  it('a completed run without anything new to do: 2', { tags: 'long' }, async () => {
    const run = await runCli(['x'], { server: await serve(DONE), policy: POLICY })
    const refused = await resume(run, [], { server: await serve() })
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('Give a prompt')])
    const server = await serve({ say: 'more' })
    expect((await resume(run, ['and more'], { server })).code).toBe(0)
    expect(server.requests[0]?.body.messages).toMatchObject([{ role: 'user' }, { role: 'assistant' }, { role: 'user' }])
  })

  it.each(
    sampled(
      [
        [['--apply-patch'], '--apply-patch needs --resume'],
        [['--lock-stale', '1h'], '--lock-stale needs --lock'],
        [['--lock', '../x'], '--lock: "../x" is not a name'],
      ],
      1,
    ),
  )('%j alone: 2', async (args, words) => {
    const ended = await runCli([...args, 'x'], { server: await serve() })
    expect([ended.code, ended.stderr]).toEqual([2, expect.stringContaining(words)])
  })
})

function commitAgain(project: string): void {
  execFileSync(
    'git',
    ['-c', 'user.name=t', '-c', 'user.email=t@example.com', 'commit', '-qm', 'more', '--allow-empty'],
    {
      cwd: project,
    },
  )
}

describe('the work tree', { tags: 'long' }, () => {
  const limited = async () => {
    const server = await serve({ tools: [bash('echo one >> log.txt'), bash('echo changed >> start.txt')] })
    return runCli(['x', '--max-turns', '1'], { server, policy: POLICY, prepare: commit })
  }

  it('of another machine is brought there by --apply-patch, and the new patch holds both changes', async () => {
    const run = await limited()
    const server = await serve({ tools: [bash('echo two >> log.txt')] }, DONE)
    const ended = await runCli(['--resume', run.transcript, '--apply-patch'], {
      server,
      policy: POLICY,
      prepare: commit,
    })
    expect([ended.code, readFileSync(join(ended.project, 'log.txt'), 'utf8')]).toEqual([0, 'one\ntwo\n'])
    expect(ended.result().changes).toMatchObject([
      { path: 'log.txt', status: 'added', added: 2 },
      { path: 'start.txt', status: 'modified', added: 1 },
    ])
  })

  it('of the same machine holds the changes already; the new patch holds both', async () => {
    const run = await limited()
    const server = await serve({ tools: [bash('echo two >> log.txt')] }, DONE)
    const ended = await resume(run, [], { server })
    expect(ended.code).toBe(0)
    expect(ended.result()).toMatchObject({ changes: [{ path: 'log.txt', added: 2 }, { path: 'start.txt' }] })
    expect(ended.result().warnings).toEqual([])
  })

  it('that lost the changes is a warning; one that they do not fit ends it: 65', async () => {
    const run = await limited()
    const fresh = await runCli(['--resume', run.transcript], {
      server: await serve(DONE),
      policy: POLICY,
      prepare: commit,
    })
    expect(fresh.result().warnings).toEqual([expect.stringContaining('is not as the run left it')])
    const options = { server: await serve(), policy: POLICY, files: { 'start.txt': 'other\n' } }
    const refused = await runCli(['--resume', run.transcript, '--apply-patch'], options)
    expect([refused.code, refused.stderr]).toEqual([65, expect.stringContaining('--apply-patch')])
    const killed = await killedRun()
    const none = await resume(killed, ['--apply-patch'], { server: await serve() })
    expect([none.code, none.stderr]).toEqual([65, expect.stringContaining('killed')])
  })
})

describe('a patch that a transcript brings', { tags: 'long' }, () => {
  const OPEN = `version: 1
sandbox: { mode: off }
permissions: { allow: ["Bash(sh work.sh)", "Edit(**)", "Edit(.github/workflows/**)", "Edit(.npmrc)"] }
`
  const STRICT = 'version: 1\npermissions: { allow: ["Edit(*.txt)", "Edit(src/**)"], deny: ["Edit(src/fixed/**)"] }\n'

  it.each([
    ['mkdir -p .github/workflows && echo "on: push" > .github/workflows/x.yml', '.github/workflows/x.yml'],
    ['echo script-shell=/tmp/x > .npmrc', '.npmrc'],
    ['mkdir -p src && echo x > src/.npmrc', 'src/.npmrc'],
    ['ln -s start.txt link.txt', 'is a link'],
    ['mkdir -p docs && echo x > docs/a.md', 'is not covered by an Edit rule'],
    ['mkdir -p src/fixed && echo x > src/fixed/a', 'deny Edit(src/fixed/**)'],
  ])('is judged like an edit: %s', async (work, words) => {
    const first = await runCli(['x'], {
      server: await serve({ tools: [bash('sh work.sh')] }, DONE),
      policy: OPEN,
      files: { 'work.sh': `${work}; echo one >> a.txt` },
      prepare: commit,
    })
    expect(first.result().patch).toContain('a.txt')
    const then = await runCli(['--resume', first.transcript, '--apply-patch', '--accept-policy-change', 'more'], {
      server: await serve(),
      policy: STRICT,
      files: { 'work.sh': `${work}; echo one >> a.txt` },
      prepare: commit,
    })
    expect([then.code, then.stderr]).toEqual([65, expect.stringContaining(words)])
    const status = execFileSync('git', ['status', '--porcelain'], { cwd: then.project, encoding: 'utf8' })
    expect(status).toBe('')
  })

  it('keeps modes, and leaves a link alone that stands in the way', async () => {
    const policy = 'version: 1\nsandbox: { mode: off }\npermissions: { allow: ["Bash(sh work.sh)", "Edit(src/**)"] }\n'
    const files = { 'work.sh': 'mkdir -p src; echo true > src/run; chmod 755 src/run', 'src/a': 'a\n' }
    const server = await serve({ tools: [bash('sh work.sh')] }, DONE)
    const first = await runCli(['x'], { server, policy, files, prepare: commit })
    const again = (prepare: (project: string) => void) => (project: string) => {
      commit(project)
      prepare(project)
    }
    const go = async (prepare: (project: string) => void) =>
      runCli(['--resume', first.transcript, '--apply-patch', 'more'], {
        server: await serve(DONE),
        policy,
        files,
        prepare: again(prepare),
      })
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
  it('goes on from its last compaction', { tags: 'long' }, async () => {
    const small = `${POLICY}run: { contextWindow: 20000 }\n`
    const server = await startMessagesServer(({ body }) => {
      if (JSON.stringify(body.system).includes('summarize the work')) return { turn: { say: 'It is half done.' } }
      const isFirst = body.messages.length === 1 && !JSON.stringify(body.messages).includes('half done')
      return {
        turn: {
          tools: [{ name: 'Read', input: { file_path: 'start.txt' } }],
          usage: { input_tokens: isFirst ? 19_500 : 100, output_tokens: 10 },
        },
      }
    })
    onTestFinished(() => server.close())
    const files = { 'start.txt': 'x'.repeat(9000) }
    const run = await runCli(['the task', '--max-turns', '2'], { server, policy: small, files })
    expect(run.code).toBe(4)
    const next = await serve(DONE)
    expect((await resume(run, [], { server: next, policy: small })).code).toBe(0)
    const { messages } = next.requests[0]?.body ?? {}
    expect(messages).toHaveLength(3)
    expect(messages[0].content[0].text).toMatch(/^the task\n[\s\S]*half done/)
  })

  it('does not hold an answer that was void, and early calls of it are no open calls', { tags: 'long' }, async () => {
    const read = { name: 'Read', input: { file_path: 'start.txt' } }
    const cut = { turn: { tools: [read, bash('echo cut >> log.txt')] }, cutAtByte: 1150 }
    const server = await serve(
      cut,
      { tools: [bash('echo whole >> log.txt')], stop: 'max_tokens' },
      {
        tools: [bash('sleep 60')],
      },
    )
    const run = startCli(['x', '--output-format', 'stream-json'], { server, policy: POLICY, prepare: commit })
    await run.saw('"tool_input":{"command":"sleep 60"}')
    run.child.kill('SIGTERM')
    const ended = await run.ended()
    expect(ended.code).toBe(143)
    expect(await verifyTranscript(run.transcript)).toMatchObject({ isIntact: true })
    const next = await serve(DONE)
    await resume(run, [], { server: next })
    const text = JSON.stringify(next.requests[0]?.body.messages)
    expect(text).not.toMatch(/echo whole|echo cut|start\.txt/)
    expect(text).toMatch(/sleep 60.*sigterm/)
  })
})
