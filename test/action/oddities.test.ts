import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { makeRepository } from '../helpers/github/actionRun.ts'
import { BASE, play } from '../helpers/github/reviewRuns.ts'
import { makeFolder } from '../helpers/makeFolder.ts'
import { sampled } from '../helpers/sampled.ts'

const FINISH = '- { tool: Finish, input: { status: completed, summary: "All well." } }\n'

const hasSetpriv = spawnSync('setpriv', ['--version']).status === 0

describe('the action in unusual environments', () => {
  it('works in a workspace whose path has spaces, quotes, other scripts and shell syntax', {
    tags: 'long',
  }, async () => {
    const { folder, commits } = makeRepository(BASE)
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
    expect([noTask.code, noTask.outputs['exit_reason']]).toEqual([2, 'usage'])
    expect(noTask.log).toContain('`prompt`')
    const noKey = await play({ inputs: { anthropic_api_key: '', args: '' } })
    expect([noKey.code, noKey.outputs['exit_reason']]).toEqual([77, 'auth'])
    expect(noKey.log).toContain('`anthropic_api_key`')
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
        ['without a sandbox', 'off', 'false', '1'],
        ['without a sandbox, where it is wanted', 'off', 'true', '0'],
        ['in the sandbox', 'auto', 'false', '1'],
      ],
      1,
    ),
  )(
    'takes sudo away from commands %s (%s, %s): %s (needs setpriv)',
    { tags: 'long' },
    async (_, mode, allowed, bit) => {
      const policy = `version: 1\npermissions: { allow: ["Bash(bash show.sh)"] }\nsandbox: { mode: ${mode} }\n`
      const states = [{ ...BASE, '.kode/policy.yml': policy, 'show.sh': 'grep NoNewPrivs /proc/self/status\n' }]
      const replay = `- { tool: Bash, input: { command: bash show.sh } }\n${FINISH}`
      const run = await play({ states, replay, inputs: { allow_sudo: allowed } })
      expect(/NoNewPrivs:\\+t(\d)/.exec(JSON.stringify(run.records))?.[1]).toBe(bit)
    },
  )
})
