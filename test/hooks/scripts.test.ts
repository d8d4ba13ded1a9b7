import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { HookTable } from '../../src/contracts/settings.ts'
import { checkHooks } from '../../src/hooks/checkHooks.ts'
import { createTestHooks, hookedCall } from '../helpers/tools/testHooks.ts'

/** The scripts need what their authors had: bash with jq, and Python. */
const missing = ['jq', 'python3'].filter((program) => {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' })
    return false
  } catch {
    return true
  }
})

const TABLE: HookTable = {
  UserPromptSubmit: [
    { hooks: [{ type: 'command', command: '"$CLAUDE_PROJECT_DIR"/.claude/hooks/prompt-context.sh' }] },
  ],
  SessionStart: [{ matcher: 'startup', hooks: [{ type: 'command', command: '.claude/hooks/prompt-context.sh' }] }],
  PreToolUse: [
    {
      matcher: 'Bash',
      hooks: [
        { type: 'command', command: '"$CLAUDE_PROJECT_DIR"/.claude/hooks/guard-bash.sh', timeout: 30 },
        { type: 'command', command: 'node', args: ['${CLAUDE_PROJECT_DIR}/.claude/hooks/safe-install.mjs'] },
        { type: 'command', command: '"$CLAUDE_PROJECT_DIR"/.claude/hooks/log-commands.sh' },
        { type: 'command', command: '"$CLAUDE_PROJECT_DIR/.claude/hooks/branch-guard.cjs"', timeout: 20 },
      ],
    },
    {
      matcher: 'Edit|Write|MultiEdit',
      hooks: [{ type: 'command', command: 'python3 "$CLAUDE_PROJECT_DIR"/.claude/hooks/protect_files.py' }],
    },
  ],
  Stop: [{ hooks: [{ type: 'command', command: 'cd "$CLAUDE_PROJECT_DIR" && ./.claude/hooks/finish_tests.py' }] }],
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
    expect(await stop(false)).toMatchObject({
      decision: 'deny',
      isFailure: false,
      reason: expect.stringContaining('red'),
    })
    expect(await stop(true)).toMatchObject({ decision: 'none' })
    rmSync(join(cwd, 'tests.failed'))
    expect(await stop(false)).toMatchObject({ decision: 'none' })
  })
})
