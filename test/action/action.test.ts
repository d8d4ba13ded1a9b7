import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { OUTPUTS } from '../../src/entry/actionOutputs.ts'
import { INPUTS } from '../../src/github/inputs.ts'
import {
  type ActionOptions,
  type ActionRun,
  KEY,
  makeFolder,
  makeRepository,
  playAction,
  readActionFile,
  TOKEN,
} from '../helpers/github/actionRun.ts'
import {
  commentEvent,
  MAINTAINER,
  plainEvent,
  pullRequestEvent,
  STRANGER,
  workflowRunEvent,
} from '../helpers/github/githubEvents.ts'
import { answerForPeople, startGitHubServer } from '../helpers/github/githubServer.ts'
import { type Mutation, mutatedAction } from '../helpers/github/mutatedAction.ts'
import { sampled } from '../helpers/sampled.ts'

const BASE = {
  'README.md': 'shop\n',
  'AGENTS.md': 'Notes of the base.\n',
  '.kode/policy.yml': 'version: 1\npermissions:\n  presets: [read-only]\n  deny: ["Bash(touch *)"]\n',
}
const HEAD = {
  'AGENTS.md': 'EVIL notes of the head.\n',
  '.kode/policy.yml': 'version: 1\npermissions: { allow: [Bash] }\n',
}
const FORGED = '::error::forged ##[error]forged'
const REPLAY = `
- say: "I look. ${FORGED}"
  tools:
    - { name: Read, input: { file_path: README.md } }
    - { name: Bash, input: { command: touch x } }
- tool: ToolSearch
  input: { query: "select:ReportFinding" }
- tool: ReportFinding
  input: { path: README.md, line: 1, severity: warning, title: "Short, 100%: ${FORGED}", message: "Say more.\\n${FORGED}" }
- tool: Finish
  input: { status: completed, summary: "All well.\\n${FORGED}" }
`

const PEOPLE = {
  maintainer: { permission: 'admin' },
  stranger: { permission: 'read' },
  'evil[bot]': { type: 'Bot', permission: 'write' },
  'helper[bot]': { type: 'Bot' },
  'fake-helper': { type: 'User', permission: 'read' },
}

type Given = Pick<ActionOptions, 'event' | 'sha' | 'workspace'> & Partial<ActionOptions>

async function play({ inputs = {}, ...given }: Given, replay = REPLAY): Promise<ActionRun> {
  const server = await startGitHubServer(answerForPeople(PEOPLE))
  onTestFinished(() => server.close())
  const file = join(makeFolder('kode-run-replay-'), 'replay.yml')
  writeFileSync(file, replay)
  const own = { prompt: 'Review it', policy: '.kode/policy.yml', args: `--replay ${file}`, anthropic_api_key: KEY }
  return playAction({ apiUrl: server.url, ...given, inputs: { ...own, ...inputs } })
}

/** Without what differs from run to run. */
function stable(text: string): string {
  return (
    text
      .replace(/\/tmp\/[\w./-]*\/(?=[\w.-]+)/g, '<folder>/')
      .replace(/\b[0-9a-f]{8}-[0-9a-f-]{27}\b/g, '<id>')
      .replace(/\b[0-9a-f]{16,64}\b/g, '<hash>')
      .replace(/\b[\d.]+ m?s\b/g, '<time>')
      // Not on every machine: what keeps sudo from commands.
      .replace(/### Warnings\n\n- ⚠️ setpriv is missing [^\n]*\n\n/, '')
      .replace(/sandbox \w+, changes \w+, network \w+ \(\w+\)/g, 'sandbox <state>')
  )
}

function task(run: ActionRun): string {
  return JSON.stringify(run.records.find(({ type }) => type === 'user'))
}

/** No line of the log but our own is a command, and no secret is anywhere but where it is masked. */
function expectClean(run: ActionRun): void {
  expect(run.commands.filter(({ data }) => data.startsWith('forged'))).toEqual([])
  const own = ['add-mask', 'group', 'endgroup', 'stop-commands', 'warning', 'error', 'notice']
  expect(run.commands.filter(({ name }) => !own.includes(name))).toEqual([])
  const shown = run.log.replace(/^::add-mask::.*$/gm, '') + run.summary + JSON.stringify([run.outputs, run.records])
  for (const secret of [KEY, TOKEN, 'runtime-token-0123456789abcdef']) expect(shown).not.toContain(secret)
}

/** A pull request whose head brings its own policy and notes: those of the base hold. */
async function pullRequest(action?: string): Promise<ActionRun> {
  const { folder, commits } = makeRepository(BASE, HEAD)
  const [base = '', head = ''] = commits
  const run = await play({
    workspace: folder,
    event: pullRequestEvent({ base, head }),
    sha: head,
    ...(action === undefined ? {} : { action }),
  })
  expectClean(run)
  expect(run.code).toBe(0)
  expect(task(run)).toContain('Notes of the base.')
  expect(task(run)).not.toContain('EVIL')
  expect(task(run)).toContain('differs and is data: \\".kode/policy.yml\\", \\"AGENTS.md\\"')
  expect(existsSync(join(folder, 'x'))).toBe(false)
  expect(run.outputs).toMatchObject({ conclusion: 'success', exit_code: '0', denials: '1' })
  const hash = expect.stringMatching(/^[0-9a-f]{64}$/)
  expect(run.records[0]).toMatchObject({
    origin: { event: { name: 'pull_request', trust: 'semi', actor: 'maintainer' }, config_commit: base },
    sent: { system_sha256: hash, tools_sha256: hash },
  })
  return run
}

/** A stranger's comment does not start a model. */
async function strangersComment(action?: string): Promise<void> {
  const { folder, commits } = makeRepository(BASE)
  const run = await play({
    workspace: folder,
    event: commentEvent({ user: STRANGER }),
    sha: commits[0] ?? '',
    actor: 'stranger',
    ...(action === undefined ? {} : { action }),
  })
  expect(run.code).toBe(3)
  expect(run.records).toEqual([])
  expect(run.outputs).toMatchObject({ conclusion: 'failure', exit_code: '3', exit_reason: 'actor_denied' })
}

describe('the action', () => {
  it('declares what its source reads and writes', () => {
    const { inputs, outputs, runs } = readActionFile()
    expect(Object.keys(inputs)).toEqual(Object.keys(INPUTS))
    expect(Object.keys(outputs)).toEqual([...OUTPUTS])
    expect(runs).toEqual({ using: 'node24', main: 'action/main.mjs', post: 'action/post.mjs' })
  })

  it('runs on a pull request by the configuration of its base, and masks every secret first', async () => {
    const run = await pullRequest()
    const lines = run.log.split('\n')
    const first = lines.findIndex((line) => !line.startsWith('::add-mask::'))
    for (const secret of [KEY, TOKEN]) expect(lines.slice(0, first)).toContain(`::add-mask::${secret}`)
    const outputs = Object.entries(run.outputs).map(([name, value]) => `${name}=${value}`)
    await expect(stable(outputs.join('\n'))).toMatchFileSnapshot('golden/pull-request-outputs.txt')
    await expect(stable(run.summary)).toMatchFileSnapshot('golden/pull-request-summary.md')
    const obeyed = run.commands
      .filter(({ name }) => name !== 'stop-commands')
      .map(({ name, data }) => `${name} ${data}`)
    await expect(stable(obeyed.join('\n'))).toMatchFileSnapshot('golden/pull-request-commands.txt')
    expect(run.log).toContain('::warning title=Denied%3A Bash(touch x),file=.kode/policy.yml,line=4::')
    expect(run.log).toContain(',file=README.md,line=1::')
    expect(readFileSync(run.outputs['report_file'] ?? '', 'utf8')).toContain('<!doctype html>')
    expect(JSON.parse(readFileSync(run.outputs['execution_file'] ?? '', 'utf8'))).toEqual(run.records)
    expect((await run.post()).summary).toBe(run.summary)
  })

  it.skipIf(process.platform !== 'linux')(
    'keeps inputs, keys and tokens out of the environment of its process',
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

  it('takes the configuration of the head only when told to, and says so', async () => {
    const { folder, commits } = makeRepository(BASE, HEAD)
    const [base = '', head = ''] = commits
    const replay = join(makeFolder('kode-run-replay-'), 'replay.yml')
    writeFileSync(replay, REPLAY)
    const run = await play({
      ...{ workspace: folder, sha: head, event: pullRequestEvent({ base, head }) },
      inputs: { args: `--trust-head-config --replay ${replay}` },
    })
    expect(task(run)).toContain('EVIL')
    expect(run.summary).toContain('trust-head-config: policy and project files are those of the checkout')
  })

  it('takes the policy of the base for a project in a subfolder too', { tags: 'long' }, async () => {
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

  it('is not led to another policy by a link in the head', { tags: 'long' }, async () => {
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

  it('ends where the base commit cannot be had', async () => {
    const { folder, commits } = makeRepository(BASE)
    const event = pullRequestEvent({ base: 'd'.repeat(40), head: commits[0] ?? '' })
    const run = await play({ workspace: folder, sha: commits[0] ?? '', event })
    expect(run.outputs).toMatchObject({ exit_code: '78', exit_reason: 'config' })
    expect(run.log).toContain('fetch-depth: 0')
    expect(run.records).toEqual([])
  })

  it("offers a maintainer's fork less, and strangers nothing", { tags: 'long' }, async () => {
    const { folder, commits } = makeRepository(BASE, HEAD)
    const [base = '', head = ''] = commits
    const of = (user: typeof STRANGER) =>
      play({
        ...{ workspace: folder, sha: head, actor: user.login },
        event: pullRequestEvent({ base, head, from: `${user.login}/shop`, user }),
      })
    const own = await of(MAINTAINER)
    expect(own.code).toBe(0)
    expectClean(own)
    const [init] = own.records
    expect(init).toMatchObject({ subtype: 'init', network: { mode: 'none' } })
    expect(init).toMatchObject({ tools: expect.not.arrayContaining(['WebFetch', 'WebSearch']) })
    const strange = await of(STRANGER)
    expect([strange.code, strange.records]).toEqual([3, []])
    await expect(stable(strange.summary)).toMatchFileSnapshot('golden/fork-summary.md')
  })

  it("does not listen to a stranger's comment", () => strangersComment())

  it.each(
    sampled(
      [
        { name: 'any bot', login: 'evil[bot]', type: 'Bot', allowed: '', reason: 'actor_denied' },
        {
          name: 'a bot that is not the listed one',
          login: 'evil[bot]',
          type: 'Bot',
          allowed: 'helper[bot]',
          reason: 'actor_denied',
        },
        { name: 'a star in allowed_bots', login: 'evil[bot]', type: 'Bot', allowed: '*', reason: 'actor_denied' },
        {
          name: 'a person with the name of a listed bot',
          login: 'fake-helper',
          type: 'User',
          allowed: 'fake-helper',
          reason: 'actor_denied',
        },
        {
          name: 'a listed bot',
          login: 'helper[bot]',
          type: 'Bot',
          allowed: 'other[bot], helper[bot]',
          reason: 'completed',
        },
      ],
      1,
    ),
  )('decides about $name: $reason', async ({ login, type, allowed, reason }) => {
    const { folder, commits } = makeRepository(BASE)
    const run = await play({
      ...{ workspace: folder, sha: commits[0] ?? '', actor: login },
      event: commentEvent({ user: { login, type } }),
      inputs: { allowed_bots: allowed },
    })
    expect(run.outputs['exit_reason']).toBe(reason)
  })

  it('follows a workflow of the default branch, and refuses the checkout of a fork', { tags: 'long' }, async () => {
    const { folder, commits } = makeRepository(BASE, HEAD)
    const [base = '', head = ''] = commits
    const fork = { event: 'pull_request', head_branch: 'x', head_repository: { full_name: 'stranger/shop' } }
    const refused = await play({ workspace: folder, sha: base, event: workflowRunEvent(head, fork) })
    expect(refused.outputs).toMatchObject({ exit_code: '3', exit_reason: 'untrusted_event' })
    expect(refused.log).toContain('Check out the default branch')
    const own = makeRepository(BASE)
    const tip = own.commits[0] ?? ''
    const followed = await play({ workspace: own.folder, sha: tip, event: workflowRunEvent(tip) })
    expect(followed.code).toBe(0)
    expect(task(followed)).toContain(`commit ${tip}`)
    await expect(stable(followed.summary)).toMatchFileSnapshot('golden/workflow-run-summary.md')
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

  it('completes summary and outputs of a run that was killed', async () => {
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

  it('has a conclusion where it was killed before its first record', async () => {
    const { folder, commits } = makeRepository({ 'README.md': 'x' })
    let killed: number | undefined
    const run = await play({
      ...{ workspace: folder, sha: commits[0] ?? '', event: plainEvent('schedule') },
      onOutput(_text, pid) {
        killed ??= pid
        if (pid === killed) process.kill(pid, 'SIGKILL')
      },
    })
    expect([run.code, run.records, run.outputs]).toEqual([null, [], {}])
    expect((await run.post()).outputs).toMatchObject({ conclusion: 'failure' })
  })

  it('ends in order when the job is cancelled', async () => {
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

/** Each guard switched off once, in a copy: the scenario that stands for it must then fail. */
const GUARDS: readonly (Mutation & {
  readonly name: string
  readonly scenario: (action?: string) => Promise<unknown>
})[] = [
  {
    name: 'the actor gate',
    file: 'src/entry/runAction.ts',
    from: 'if (!trust.isGated) return',
    to: 'if (trust) return',
    scenario: strangersComment,
  },
  {
    name: 'the configuration of the base commit',
    file: 'src/entry/runAction.ts',
    from: '?? baseCommitOf(event)',
    to: '?? (baseCommitOf(event), undefined)',
    scenario: pullRequest,
  },
  {
    name: 'the encoder',
    file: 'src/report/markdown/encodeUntrusted.ts',
    from: 'return visible(text)',
    to: 'if (text) return `${text}\\n`\n  return visible(text)',
    scenario: pullRequest,
  },
]

describe('the tests of the action fail without', { tags: 'long' }, () => {
  it.each(GUARDS)('$name', async ({ scenario, ...mutation }) => {
    const action = mutatedAction(mutation)
    await expect(scenario(action)).rejects.toThrow(/^expected/)
  })
})
