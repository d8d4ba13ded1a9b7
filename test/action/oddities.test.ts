import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type ActionOptions, type ActionRun, KEY, makeRepository, playAction } from '../helpers/github/actionRun.ts'
import { plainEvent } from '../helpers/github/githubEvents.ts'
import { answerForPeople, startGitHubServer } from '../helpers/github/githubServer.ts'
import { makeFolder } from '../helpers/makeFolder.ts'
import { sampled } from '../helpers/sampled.ts'

const POLICY = 'version: 1\npermissions:\n  presets: [read-only]\n  deny: ["Bash(touch *)"]\n'
const FILES = { 'README.md': 'shop\n', '.kode/policy.yml': POLICY }
const FINISH = '- { tool: Finish, input: { status: completed, summary: "All well." } }\n'

type Given = Partial<ActionOptions> & { readonly replay?: string }

/** Plays a scheduled run in a new repository, unless `given` says otherwise. */
async function play({ replay = FINISH, inputs = {}, ...given }: Given = {}): Promise<ActionRun> {
  const { folder, commits } = makeRepository(FILES)
  const server = await startGitHubServer(answerForPeople({ maintainer: { permission: 'admin' } }))
  onTestFinished(() => server.close())
  const file = join(makeFolder(), 'replay.yml')
  writeFileSync(file, replay)
  return playAction({
    ...{ workspace: folder, sha: commits[0] ?? '', event: plainEvent('schedule'), apiUrl: server.url },
    ...given,
    inputs: {
      ...{ prompt: 'Look', policy: '.kode/policy.yml', anthropic_api_key: KEY, args: `--replay ${file}` },
      ...inputs,
    },
  })
}

const hasSetpriv = spawnSync('setpriv', ['--version']).status === 0

describe('the action in unusual environments', () => {
  it('works in a workspace whose path has spaces, quotes, other scripts and shell syntax', {
    tags: 'long',
  }, async () => {
    const { folder, commits } = makeRepository(FILES)
    const odd = join(makeFolder(), `мой 'shop' "für" $(touch forged) ; & 中文`)
    cpSync(folder, odd, { recursive: true })
    const replay =
      '- tool: Read\n  input: { file_path: README.md }\n- tool: Bash\n  input: { command: "cat README.md" }\n'
    const run = await play({ workspace: odd, sha: commits[0] ?? '', replay: `${replay}${FINISH}` })
    expect([run.code, run.outputs['conclusion'], run.outputs['denials']]).toEqual([0, 'success', '0'])
    expect(run.outputs['execution_file']).toContain(run.temp)
    expect(existsSync(join(odd, 'forged'))).toBe(false)
  })

  it('says which input is missing, and ends without a run', { tags: 'long' }, async () => {
    const noTask = await play({ inputs: { prompt: '' } })
    expect([noTask.code, noTask.outputs['exit_reason'], noTask.log]).toEqual([
      2,
      'usage',
      expect.stringContaining('`prompt`'),
    ])
    const noKey = await play({ inputs: { anthropic_api_key: '', args: '' } })
    expect([noKey.code, noKey.outputs['exit_reason'], noKey.log]).toEqual([
      77,
      'auth',
      expect.stringContaining('`anthropic_api_key`'),
    ])
    const noPolicy = await play({ inputs: { policy: 'nowhere.yml' } })
    expect([noPolicy.code, noPolicy.summary]).toEqual([78, expect.stringContaining('nowhere.yml')])
  })

  it.skipIf(process.getuid?.() !== 0)(
    'has its outputs and its summary when the disk of the runner is full (needs the right to mount)',
    { tags: 'long' },
    async () => {
      const disk = makeFolder()
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', disk])
      onTestFinished(() => void execFileSync('umount', [disk]))
      const fill = `- { tool: Bash, input: { command: "cat /dev/zero > ${disk}/fill; seq 9999" } }\n`
      const policy = `version: 1\npermissions: { allow: [Bash, "Edit(/${disk}/**)"] }\nsandbox: { mode: off }\n`
      const file = join(makeFolder(), 'policy.yml')
      writeFileSync(file, policy)
      const run = await play({ replay: fill + FINISH, env: { RUNNER_TEMP: disk }, inputs: { policy: file } })
      expect([run.code, run.outputs['exit_reason'], run.outputs['conclusion']]).toEqual([74, 'io_error', 'failure'])
      expect(run.summary).toContain('cannot be written')
      expect(run.log).not.toMatch(/^ +at /m)
    },
  )

  it('does not widen the log for ACTIONS_STEP_DEBUG', { tags: 'long' }, async () => {
    const replay = `- { say: "${'long '.repeat(100)}end of it", tool: Think, input: { thought: x } }\n${FINISH}`
    const run = await play({ env: { ACTIONS_STEP_DEBUG: 'true', RUNNER_DEBUG: '1' }, replay })
    expect(run.code).toBe(0)
    expect(run.log).not.toContain('end of it')
    expect(run.commands.filter(({ name }) => name === 'debug')).toEqual([])
    const wide = await play({ replay, inputs: { show_full_output: 'true' } })
    expect(wide.log).toContain('end of it')
  })

  it.skipIf(process.platform !== 'linux' || !hasSetpriv).each(
    sampled(
      [
        { name: 'without a sandbox', sandbox: 'off', allowed: 'false', bit: '1' },
        { name: 'without a sandbox, where it is wanted', sandbox: 'off', allowed: 'true', bit: '0' },
        { name: 'in the sandbox', sandbox: 'auto', allowed: 'false', bit: '1' },
      ],
      1,
    ),
  )(
    'takes sudo away from commands $name: $bit (needs setpriv)',
    { tags: 'long' },
    async ({ sandbox, allowed, bit }) => {
      const policy = `version: 1\npermissions: { allow: ["Bash(bash show.sh)"] }\nsandbox: { mode: ${sandbox} }\n`
      const { folder, commits } = makeRepository({
        ...FILES,
        '.kode/policy.yml': policy,
        'show.sh': 'grep NoNewPrivs /proc/self/status\n',
      })
      const replay = `- { tool: Bash, input: { command: bash show.sh } }\n${FINISH}`
      const given = { workspace: folder, sha: commits[0] ?? '', replay, inputs: { allow_sudo: allowed } }
      const run = await play(given)
      expect(/NoNewPrivs:\\+t(\d)/.exec(JSON.stringify(run.records))?.[1]).toBe(bit)
    },
  )
})
