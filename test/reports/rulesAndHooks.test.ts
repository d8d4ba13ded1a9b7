import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { agent, calls, playAgents, requestsOf, say } from '../helpers/runs/agentRuns.ts'
import { type PlayedCall, playRun, resultsIn } from '../helpers/runs/playRun.ts'
import { sampled } from '../helpers/sampled.ts'

/** Rules and hooks that people reported of other agents as not enforced, or as a prompt that nobody answers. */
const bash = (command: string): PlayedCall => ({ name: 'Bash', input: { command } })
const policyOf = (permissions: object, more: object = {}) =>
  JSON.stringify({ version: 1, sandbox: { mode: 'off' }, permissions, ...more })

describe('a rule decides what its words say', () => {
  it.each<[report: string, permissions: object, command: string, told: RegExp]>(
    sampled<[report: string, permissions: object, command: string, told: RegExp]>(
      [
        [
          'anthropics/claude-code/issues/18160',
          { allow: ['Bash(ls *)'] },
          'ls -la ~/.claude/',
          /No such file or directory/,
        ],
        [
          'anthropics/claude-code/issues/20449',
          { allow: ['Bash(mkdir:*)', 'Bash(touch:*)', 'Bash(cp:*)', 'Edit(./**)'] },
          'mkdir d; touch d/f; cp d/f d/g',
          /no output, exit code 0/,
        ],
        [
          'anthropics/claude-code/issues/6699',
          { allow: ['Bash'], deny: ['Read(./**/.env*)'] },
          'cat src/.env.local',
          /^Bash: reading src\/\.env\.local is denied by the rule `Read\(\.\/\*\*\/\.env\*\)`/,
        ],
        [
          'anthropics/claude-code/issues/12143',
          { allow: ['Bash', 'Edit(./**)'], deny: ['Bash(env)', 'Bash(printenv)'] },
          'env | sort',
          /`env` is denied by the rule `Bash\(env\)`/,
        ],
        [
          'anthropics/claude-code/issues/12143',
          { allow: ['Bash', 'Edit(./**)'], deny: ['Bash(env)'] },
          'printf "#!/bin/bash\\nenv\\n" > check_env; chmod +x check_env; ./check_env | grep -ci anthropic',
          /^0\n/,
        ],
        [
          'anthropics/claude-code/issues/27547',
          { ask: ['Bash(*)'], deny: ['Bash(ls *)', 'Bash(ls)'] },
          'ls -d /tmp/*/',
          /is denied by the rule `Bash\(ls \*\)`/,
        ],
        [
          'anomalyco/opencode/issues/36762',
          { allow: ['Bash(npx *)'] },
          'npx tsc | head -40',
          /`head -40` is not allowed: no allow rule covers it\..*A person could allow it by `Bash\(head -40\)`/,
        ],
      ],
      1,
    ),
  )('github.com/%s: %j', async (_, permissions, command, told) => {
    const run = await playRun([bash(command)], {
      policy: policyOf(permissions),
      files: { 'src/.env.local': 'TOKEN=abc\n' },
    })
    expect(run.told[0]).toMatch(told)
    expect(run.told[0]).not.toContain('abc')
  })

  it('github.com/anomalyco/opencode/issues/43888: a sub-agent outside the project is refused at once', {
    tags: 'long',
  }, async () => {
    const { run, api } = await playAgents(
      {
        main: [calls(agent('worker', 'go'))],
        'I am the worker': [calls({ name: 'Write', input: { file_path: '../out.txt', content: 'x' } }), say('refused')],
      },
      {
        policy: policyOf(
          { allow: ['Agent', 'Edit(./**)'] },
          { agents: { worker: { description: 'w', prompt: 'I am the worker' } } },
        ),
      },
    )
    const told = resultsIn(requestsOf(api, 'I am the worker').at(-1)?.body.messages)
    expect(told[0]).toMatch(/^Write: writing \S*out\.txt is not allowed/)
    expect(existsSync(join(run.base, 'out.txt'))).toBe(false)
    expect(run.code).toBe(3)
  })
})

describe('a hook that refuses, fails or hangs', () => {
  const play = (event: string, command: string, more: object = {}) =>
    playRun([bash('echo ran > made')], {
      policy: policyOf(
        { allow: ['Bash', 'Edit(./**)'] },
        { hooks: { [event]: [{ matcher: 'Bash', hooks: [{ type: 'command', command, ...more }] }] } },
      ),
    })

  it.each<[report: string, command: string, more: object, told: string]>(
    sampled<[report: string, command: string, more: object, told: string]>(
      [
        ['13756', 'echo checks failed >&2; exit 2', {}, 'Denied by a PreToolUse hook: checks failed'],
        ['44707', 'echo violation >&2; exit 1', {}, 'a failing hook denies: exit code 1: violation'],
        ['84656', 'sleep 60', { timeout: 0.2 }, 'a failing hook denies: no answer within'],
      ],
      1,
    ),
  )('github.com/anthropics/claude-code/issues/%s: keeps the call from running', async (_, command, more, told) => {
    const run = await play('PreToolUse', command, more)
    expect(run.told[0]).toContain(told)
    expect(existsSync(join(run.project, 'made'))).toBe(false)
    expect([run.code, run.result().exit_reason]).toEqual([3, 'blocked'])
  })

  it.each(['node missing/hook.mjs', '/nowhere/hook.sh'])(
    'github.com/anthropics/claude-code/issues/80697: %s is named before the run starts',
    async (command) => {
      const { code, stderr } = await play('PreToolUse', command)
      expect([code, stderr]).toEqual([78, expect.stringContaining('does not exist')])
    },
  )

  it('github.com/anthropics/claude-code/issues/80039: what it says after a call reaches the model', {
    tags: 'long',
  }, async () => {
    const run = await play('PostToolUse', 'echo line 3 has a tab >&2; exit 2')
    expect(JSON.stringify(run.api.requests.at(-1)?.body.messages.at(-1))).toContain('line 3 has a tab')
  })
})
