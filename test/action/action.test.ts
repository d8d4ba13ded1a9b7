import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { OUTPUTS } from '../../src/entry/actionOutputs.ts'
import { INPUTS } from '../../src/github/inputs.ts'
import { KEY, makeRepository, readActionFile, TOKEN } from '../helpers/github/actionRun.ts'
import { commentEvent, MAINTAINER, pullRequestEvent } from '../helpers/github/githubEvents.ts'
import { BASE, HEAD, play, pullRequest, REVIEWED, stable, task } from '../helpers/github/reviewRuns.ts'
import { listenHere } from '../helpers/listenHere.ts'

/** A step that waits for a minute, and what happens to its process as soon as it waits. */
function playWaiting(signal: 'SIGKILL' | 'SIGINT') {
  const policy = 'version: 1\npermissions: { allow: ["Bash(sleep 60)"] }\nsandbox: { mode: off }\n'
  let isSent = false
  return play({
    states: [{ '.kode/policy.yml': policy }],
    replay: '- { say: I wait., tool: Bash, input: { command: sleep 60 } }\n- { say: never }\n',
    onOutput: (text, pid) => {
      if (isSent || !text.includes('I wait.')) return
      isSent = true
      process.kill(pid, signal)
    },
  })
}

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
      let seen = ''
      await play({
        onOutput: (text, pid) => {
          if (text.includes('schedule: trusted')) seen ||= readFileSync(`/proc/${pid}/environ`, 'utf8')
        },
      })
      expect(seen).toContain('GITHUB_REPOSITORY=octo/shop')
      for (const text of [KEY, TOKEN, 'INPUT_', 'ACTIONS_', 'runtime-token']) expect(seen).not.toContain(text)
    },
  )

  it('uses the configuration of the head only if told to, and says so', { tags: 'long' }, async () => {
    const run = await play({ ...REVIEWED, args: '--trust-head-config' })
    expect(task(run)).toContain('EVIL')
    expect(run.summary).toContain('trust-head-config: policy and project files are those of the checkout')
  })

  it('uses the policy of the base for a project in a subfolder too', { tags: 'long' }, async () => {
    const base = { ...BASE, 'shop/README.md': 'part\n', 'shop/AGENTS.md': 'Notes of the part.\n' }
    const states = [base, { ...HEAD, 'shop/AGENTS.md': 'EVIL\n' }]
    const run = await play({ ...REVIEWED, states, inputs: { working_directory: 'shop' } })
    expect(run.code).toBe(0)
    expect(task(run)).toContain('Notes of the part.')
    expect(run.outputs['denials']).toBe('1')
    expect(existsSync(join(run.folder, 'shop/x'))).toBe(false)
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
    const event = () => pullRequestEvent({ base: commits[0] ?? '', head })
    const run = await play({ workspace: folder, sha: head, event })
    expect(run.outputs['denials']).toBe('1')
    expect(existsSync(join(folder, 'x'))).toBe(false)
  })

  it('ends if the base commit cannot be fetched', { tags: 'long' }, async () => {
    const run = await play({ event: (_, head) => pullRequestEvent({ base: 'd'.repeat(40), head }) })
    expect(run.outputs).toMatchObject({ exit_code: '78', exit_reason: 'config' })
    expect(run.log).toContain('fetch-depth: 0')
    expect(run.records).toEqual([])
  })

  it('names the right input for a wrong one', { tags: 'long' }, async () => {
    const run = await play({
      inputs: { claude_args: '--max-turns 3', 'working-directory': '.', max_turn: '3' },
    })
    expect(run.code).toBe(2)
    expect(run.log).toContain('There is no input claude_args: write `args`.')
    expect(run.log).toContain('There is no input working-directory: write `working_directory`.')
    expect(run.log).toContain('There is no input max_turn: write `max_turns`.')
  })

  it('completes summary and outputs of a killed run', { tags: 'long' }, async () => {
    const run = await playWaiting('SIGKILL')
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
    let killed: number | undefined
    const run = await play({
      // GitHub never says who commented, so the run cannot begin before it is killed.
      apiUrl: await listenHere(createServer(() => undefined)),
      event: () => commentEvent({ user: MAINTAINER }),
      onOutput(_text, pid) {
        killed ??= pid
        if (pid === killed) process.kill(pid, 'SIGKILL')
      },
    })
    expect([run.code, run.records, run.outputs]).toEqual([null, [], {}])
    expect((await run.post()).outputs).toMatchObject({ conclusion: 'failure' })
  })

  it('shuts down cleanly when the job is canceled', { tags: 'long' }, async () => {
    const run = await playWaiting('SIGINT')
    expect(run.code).toBe(130)
    expect(run.outputs).toMatchObject({ conclusion: 'failure', exit_code: '130', exit_reason: 'sigint' })
    expect(run.summary).toContain('exit code 130')
  })
})
