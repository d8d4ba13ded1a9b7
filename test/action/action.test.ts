import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { OUTPUTS } from '../../src/entry/actionOutputs.ts'
import { INPUTS } from '../../src/github/inputs.ts'
import { KEY, makeRepository, readActionFile, TOKEN } from '../helpers/github/actionRun.ts'
import { commentEvent, plainEvent, pullRequestEvent } from '../helpers/github/githubEvents.ts'
import { BASE, HEAD, play, pullRequest, REPLAY, stable, task } from '../helpers/github/reviewRuns.ts'
import { makeFolder } from '../helpers/makeFolder.ts'

describe('the action', () => {
  it('declares what its source reads and writes', () => {
    const { inputs, outputs, runs } = readActionFile()
    expect(Object.keys(inputs)).toEqual(Object.keys(INPUTS))
    expect(Object.keys(outputs)).toEqual([...OUTPUTS])
    expect(runs).toEqual({ using: 'node24', main: 'action/main.mjs', post: 'action/post.mjs' })
  })

  it('uses the configuration of the base on a pull request, and masks every secret first', {
    tags: 'long',
  }, async () => {
    const run = await pullRequest()
    const lines = run.log.split('\n')
    const first = lines.findIndex((line) => !line.startsWith('::add-mask::'))
    for (const secret of [KEY, TOKEN]) expect(lines.slice(0, first)).toContain(`::add-mask::${secret}`)
    const outputs = Object.entries(run.outputs).map(([name, value]) => `${name}=${value}`)
    await expect(stable(outputs.join('\n'))).toMatchFileSnapshot('golden/pull-request-outputs.txt')
    await expect(stable(run.summary)).toMatchFileSnapshot('golden/pull-request-summary.md')
    const obeyed = run.commands
      .filter(({ name, data }) => name !== 'stop-commands' && !data.includes('The process was paused'))
      .map(({ name, data }) => `${name} ${data}`)
    await expect(stable(obeyed.join('\n'))).toMatchFileSnapshot('golden/pull-request-commands.txt')
    expect(run.log).toContain('::warning title=Denied%3A Bash(touch x),file=.kode/policy.yml,line=4::')
    expect(run.log).toContain(',file=README.md,line=1::')
    expect(readFileSync(run.outputs['report_file'] ?? '', 'utf8')).toContain('<!doctype html>')
    expect(JSON.parse(readFileSync(run.outputs['execution_file'] ?? '', 'utf8'))).toEqual(run.records)
    const statement = JSON.parse(readFileSync(run.outputs['attestation_file'] ?? '', 'utf8'))
    expect(JSON.parse(readFileSync(run.outputs['predicate_file'] ?? '', 'utf8'))).toEqual(statement.predicate)
    expect(statement.predicate).toMatchObject({ exit: { code: 0 }, invocation: { run: run.outputs['session_id'] } })
    expect((await run.post()).summary).toBe(run.summary)
  })

  it.skipIf(process.platform !== 'linux')(
    'keeps inputs, keys and tokens out of the environment of its process (needs Linux)',
    { tags: 'long' },
    async () => {
      const { folder, commits } = makeRepository(BASE)
      let seen = ''
      await play({
        ...{ workspace: folder, event: plainEvent('schedule'), sha: commits[0] ?? '' },
        onOutput: (text, pid) => {
          if (text.includes('schedule: trusted')) seen ||= readFileSync(`/proc/${pid}/environ`, 'utf8')
        },
      })
      expect(seen).toContain('GITHUB_REPOSITORY=octo/shop')
      for (const text of [KEY, TOKEN, 'INPUT_', 'ACTIONS_', 'runtime-token']) expect(seen).not.toContain(text)
    },
  )

  it('uses the configuration of the head only if told to, and says so', { tags: 'long' }, async () => {
    const { folder, commits } = makeRepository(BASE, HEAD)
    const [base = '', head = ''] = commits
    const replay = join(makeFolder(), 'replay.yml')
    writeFileSync(replay, REPLAY)
    const run = await play({
      ...{ workspace: folder, sha: head, event: pullRequestEvent({ base, head }) },
      inputs: { args: `--trust-head-config --replay ${replay}` },
    })
    expect(task(run)).toContain('EVIL')
    expect(run.summary).toContain('trust-head-config: policy and project files are those of the checkout')
  })

  it('uses the policy of the base for a project in a subfolder too', { tags: 'long' }, async () => {
    const { folder, commits } = makeRepository(
      { ...BASE, 'shop/README.md': 'part\n', 'shop/AGENTS.md': 'Notes of the part.\n' },
      {
        ...HEAD,
        'shop/AGENTS.md': 'EVIL\n',
      },
    )
    const [base = '', head = ''] = commits
    const run = await play({
      ...{ workspace: folder, sha: head, event: pullRequestEvent({ base, head }) },
      inputs: { working_directory: 'shop' },
    })
    expect(run.code).toBe(0)
    expect(task(run)).toContain('Notes of the part.')
    expect(run.outputs['denials']).toBe('1')
    expect(existsSync(join(folder, 'shop/x'))).toBe(false)
    expect(run.log).toContain(',file=shop/README.md,line=1::')
  })

  it('does not follow a link in the head to another policy', { tags: 'long' }, async () => {
    const open = 'version: 1\npermissions: { allow: [Bash, Read] }\n'
    const { folder, commits, git } = makeRepository({ ...BASE, 'examples/policy.yml': open })
    git('rm', '-q', '-r', '.kode')
    symlinkSync('examples', join(folder, '.kode'))
    git('add', '-A')
    git('commit', '-q', '-m', 'a link')
    const head = git('rev-parse', 'HEAD')
    const run = await play({ workspace: folder, sha: head, event: pullRequestEvent({ base: commits[0] ?? '', head }) })
    expect(run.outputs['denials']).toBe('1')
    expect(existsSync(join(folder, 'x'))).toBe(false)
  })

  it('ends if the base commit cannot be fetched', { tags: 'long' }, async () => {
    const { folder, commits } = makeRepository(BASE)
    const event = pullRequestEvent({ base: 'd'.repeat(40), head: commits[0] ?? '' })
    const run = await play({ workspace: folder, sha: commits[0] ?? '', event })
    expect(run.outputs).toMatchObject({ exit_code: '78', exit_reason: 'config' })
    expect(run.log).toContain('fetch-depth: 0')
    expect(run.records).toEqual([])
  })

  it('names the right input for a wrong one', { tags: 'long' }, async () => {
    const { folder, commits } = makeRepository(BASE)
    const run = await play({
      ...{ workspace: folder, sha: commits[0] ?? '', event: plainEvent('schedule') },
      inputs: { claude_args: '--max-turns 3', 'working-directory': '.', max_turn: '3' },
    })
    expect(run.code).toBe(2)
    expect(run.log).toContain('There is no input claude_args: write `args`.')
    expect(run.log).toContain('There is no input working-directory: write `working_directory`.')
    expect(run.log).toContain('There is no input max_turn: write `max_turns`.')
  })

  it('completes summary and outputs of a killed run', { tags: 'long' }, async () => {
    const policy = 'version: 1\npermissions: { allow: ["Bash(sleep 60)"] }\nsandbox: { mode: off }\n'
    const { folder, commits } = makeRepository({ '.kode/policy.yml': policy })
    const replay = '- { say: I wait., tool: Bash, input: { command: sleep 60 } }\n- { say: never }\n'
    const run = await play(
      {
        ...{ workspace: folder, sha: commits[0] ?? '', event: plainEvent('schedule') },
        onOutput: (text, pid) => {
          if (text.includes('I wait.')) process.kill(pid, 'SIGKILL')
        },
      },
      replay,
    )
    expect(run.summary).toBe('')
    const after = await run.post()
    expect(after.summary).toContain('No end record')
    expect(after.outputs).toMatchObject({
      conclusion: 'failure',
      exit_reason: '',
      execution_file: expect.stringMatching(/execution\.json$/),
      transcript_file: expect.stringMatching(/transcript\.jsonl$/),
    })
    expect((await after.post()).summary).toBe(after.summary)
  })

  it('has a conclusion if it was killed before its first record', { tags: 'long' }, async () => {
    const { folder, commits } = makeRepository(BASE)
    // GitHub never says who commented, so the run cannot begin before it is killed.
    const silent = createServer(() => undefined)
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      silent.closeAllConnections()
      silent.close()
    })
    const { port } = silent.address() as AddressInfo
    let killed: number | undefined
    const run = await play({
      ...{ workspace: folder, sha: commits[0] ?? '', apiUrl: `http://127.0.0.1:${port}` },
      event: commentEvent({ user: { login: 'maintainer', type: 'User' } }),
      onOutput(_text, pid) {
        killed ??= pid
        if (pid === killed) process.kill(pid, 'SIGKILL')
      },
    })
    expect([run.code, run.records, run.outputs]).toEqual([null, [], {}])
    expect((await run.post()).outputs).toMatchObject({ conclusion: 'failure' })
  })

  it('shuts down cleanly when the job is canceled', { tags: 'long' }, async () => {
    const policy = 'version: 1\npermissions: { allow: ["Bash(sleep 60)"] }\nsandbox: { mode: off }\n'
    const { folder, commits } = makeRepository({ '.kode/policy.yml': policy })
    const replay = '- { say: I wait., tool: Bash, input: { command: sleep 60 } }\n- { say: never }\n'
    let isSent = false
    const run = await play(
      {
        ...{ workspace: folder, sha: commits[0] ?? '', event: plainEvent('schedule') },
        onOutput: (text, pid) => {
          if (isSent || !text.includes('I wait.')) return
          isSent = true
          process.kill(pid, 'SIGINT')
        },
      },
      replay,
    )
    expect(run.code).toBe(130)
    expect(run.outputs).toMatchObject({ conclusion: 'failure', exit_code: '130', exit_reason: 'sigint' })
    expect(run.summary).toContain('exit code 130')
  })
})
