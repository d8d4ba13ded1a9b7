import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { HookTable } from '../../src/contracts/settings.ts'
import { checkHooks } from '../../src/hooks/checkHooks.ts'
import { findProgram } from '../../src/sandbox/environment/childPath.ts'
import { createTestHooks, hookedCall } from '../helpers/tools/testHooks.ts'

/** The scripts need what their authors had: bash with jq, and Python. */
const missing = ['jq', 'python3'].filter((name) => findProgram(name, process.env['PATH'] ?? '') === undefined)

const line = (command: string, more: object = {}) => ({ type: 'command', command, ...more }) as const
const TABLE: HookTable = {
  UserPromptSubmit: [{ hooks: [line('"$CLAUDE_PROJECT_DIR"/.claude/hooks/prompt-context.sh')] }],
  SessionStart: [{ matcher: 'startup', hooks: [line('.claude/hooks/prompt-context.sh')] }],
  PreToolUse: [
    {
      matcher: 'Bash',
      hooks: [
        line('"$CLAUDE_PROJECT_DIR"/.claude/hooks/guard-bash.sh', { timeout: 30 }),
        line('node', { args: ['${CLAUDE_PROJECT_DIR}/.claude/hooks/safe-install.mjs'] }),
        line('"$CLAUDE_PROJECT_DIR"/.claude/hooks/log-commands.sh'),
        line('"$CLAUDE_PROJECT_DIR/.claude/hooks/branch-guard.cjs"', { timeout: 20 }),
      ],
    },
    {
      matcher: 'Edit|Write|MultiEdit',
      hooks: [line('python3 "$CLAUDE_PROJECT_DIR"/.claude/hooks/protect_files.py')],
    },
  ],
  Stop: [{ hooks: [line('cd "$CLAUDE_PROJECT_DIR" && ./.claude/hooks/finish_tests.py')] }],
}

function createProject() {
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'my project-')))
  mkdirSync(join(cwd, '.claude'))
  cpSync('test/hooks/scripts', join(cwd, '.claude/hooks'), { recursive: true })
  return createTestHooks(TABLE, { cwd })
}

describe.skipIf(missing.length > 0)(`typical hook scripts of Claude Code users (needs ${missing.join(', ')})`, () => {
  const { hooks, cwd, signal } = createProject()
  const bash = (command: string) => hooks.preToolUse(hookedCall('Bash', { command, description: 'x' }), signal)

  test('all are found at the start', () => {
    checkHooks(TABLE, { cwd, env: { PATH: process.env['PATH'] } })
  })

  test("bash, exit 2: a destructive command is blocked with the script's reason", async () => {
    expect(await bash('git push origin --force')).toMatchObject({
      decision: 'deny',
      reason: 'Blocked: destructive command. Ask a maintainer to run it.',
      isFailure: false,
    })
  })

  test('bash, plain text on stdout: no opinion', { tags: 'long' }, async () => {
    expect(await bash('git status')).toMatchObject({ decision: 'none', additionalContext: [] })
  })

  test('Node, JSON: the command is edited, allowed and commented', async () => {
    expect(await bash('npm ci')).toMatchObject({
      decision: 'allow',
      updatedInput: { command: 'npm ci --ignore-scripts', description: 'x' },
      additionalContext: ['Lifecycle scripts are switched off in this repository.'],
    })
  })

  test('bash and Node can open their input and output by name', { tags: 'long' }, async () => {
    mkdirSync(join(cwd, '.git'))
    writeFileSync(join(cwd, '.git/HEAD'), 'ref: refs/heads/main\n')
    expect(await bash('git commit -m x')).toMatchObject({
      decision: 'deny',
      reason: 'Direct commits to main are not allowed. Create a feature branch.',
      isFailure: false,
    })
    expect(readFileSync(join(cwd, 'commands.log'), 'utf8')).toContain('git commit -m x - x\n')
  })

  test('Python, JSON: a generated file is denied, another is not', { tags: 'long' }, async () => {
    const write = (path: string) => hooks.preToolUse(hookedCall('Write', { file_path: join(cwd, path) }), signal)
    expect(await write('package-lock.json')).toMatchObject({
      decision: 'deny',
      reason: 'package-lock.json is generated; change its source instead',
    })
    expect(await write('src/a.ts')).toMatchObject({ decision: 'none' })
  })

  test('bash, plain text on stdout: context where the protocol says so', async () => {
    const context = [expect.stringMatching(/^Project: my project-.*\nHouse rule: every change comes with a test\.$/)]
    expect((await hooks.userPromptSubmit('hello', signal)).additionalContext).toEqual(context)
    expect((await hooks.sessionStart('startup', signal)).additionalContext).toEqual(context)
    expect((await hooks.sessionStart('resume', signal)).additionalContext).toEqual([])
  })

  test('Python, JSON: the agent may not stop while tests fail, but not forever', { tags: 'long' }, async () => {
    writeFileSync(join(cwd, 'tests.failed'), '')
    const stop = (isActive: boolean) => hooks.stop({ isActive, lastMessage: 'done' }, signal)
    const denial = { decision: 'deny', isFailure: false, reason: expect.stringContaining('red') }
    expect(await stop(false)).toMatchObject(denial)
    expect(await stop(true)).toMatchObject({ decision: 'none' })
    rmSync(join(cwd, 'tests.failed'))
    expect(await stop(false)).toMatchObject({ decision: 'none' })
  })
})
