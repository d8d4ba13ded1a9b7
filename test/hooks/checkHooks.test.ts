import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { RunError } from '../../src/contracts/errors.ts'
import type { HookSettings, HookTable } from '../../src/contracts/settings.ts'
import { type CheckOptions, checkHooks } from '../../src/hooks/checkHooks.ts'
import { makeFiles } from '../helpers/effects/makeFiles.ts'
import { makeFolder } from '../helpers/makeFolder.ts'

const cwd = makeFiles({ 'hooks/': '' })
const script = (name: string, text: string, mode = 0o755) => {
  writeFileSync(join(cwd, 'hooks', name), text, { mode })
}
script('good.sh', '#!/usr/bin/env bash\n')
script('plain.py', 'print(1)\n', 0o644)
script('bad-shebang.sh', '#!/no/such/shell\n')
script('bad-env.sh', '#!/usr/bin/env no-such-interpreter\n')

const options = { cwd, env: { PATH: process.env['PATH'], HOME: '/home/ci' } }
const problem = (hook: HookSettings, event = 'PreToolUse', matcher?: string, where: CheckOptions = options): string => {
  const table: HookTable = { [event]: [{ ...(matcher === undefined ? {} : { matcher }), hooks: [hook] }] }
  try {
    checkHooks(table, where)
    return ''
  } catch (error) {
    if (!(error instanceof RunError) || error.reason !== 'config') throw error
    return error.message
  }
}
const shell = (command: string): HookSettings => ({ type: 'command', command })
const direct = (command: string, ...args: string[]): HookSettings => ({ type: 'command', command, args })

test.each<[HookSettings, RegExp]>([
  [shell('./hooks/good.sh --strict'), /^$/],
  [shell('"$CLAUDE_PROJECT_DIR"/hooks/good.sh'), /^$/],
  [shell('bash hooks/plain.py'), /^$/],
  [shell('echo hello'), /^$/],
  [shell('cd hooks && ./good.sh'), /^$/],
  [shell('if true; then ./missing; fi'), /^$/],
  [shell('node -e "process.exit(2)"'), /^$/],
  [shell('$SOMEWHERE/guard.sh'), /^$/],
  [shell('~/guard.sh'), /\/home\/ci\/guard.sh does not exist/],
  [shell('./hooks/missing.sh'), /hooks\.PreToolUse: .*hooks\/missing\.sh does not exist/],
  [shell('./hooks'), /is not a file/],
  [shell('"${CLAUDE_PROJECT_DIR}"/hooks/plain.py'), /plain\.py is not executable \(chmod \+x\)/],
  [shell('hooks/bad-shebang.sh'), /interpreter that cannot run: \/no\/such\/shell does not exist/],
  [shell('hooks/bad-env.sh'), /no-such-interpreter is not on the PATH/],
  [shell('no-such-program --now'), /no-such-program is not on the PATH/],
  [shell('bash hooks/missing.sh'), /missing\.sh does not exist/],
  [shell('no-such-program --now || true'), /^$/],
  [shell('no-such-program --now; true || true'), /no-such-program is not on the PATH/],
  [shell('./hooks/missing.sh || true'), /missing\.sh does not exist/],
  [shell('bash hooks/missing.sh || true'), /missing\.sh does not exist/],
  [direct('bash', 'hooks/plain.py'), /^$/],
  [direct('bash', '${CLAUDE_PROJECT_DIR}/hooks/good.sh'), /^$/],
  [direct('bash', 'hooks/missing.sh'), /missing\.sh does not exist/],
  [direct('echo hello', 'x'), /echo hello is not on the PATH/],
  [{ type: 'http', url: 'not a url' }, /the URL cannot be parsed/],
  [{ type: 'http', url: 'http://127.0.0.1:1/' }, /^$/],
])('%j: %s', (hook, expected) => {
  expect(problem(hook)).toMatch(expected)
})

const bin = makeFolder('bin-')
for (const name of ['deno', 'bunx', 'bash']) writeFileSync(join(bin, name), '', { mode: 0o755 })

test.each<[HookSettings, RegExp]>([
  // A name is a task for these two, a path is a script.
  [direct('deno', 'task'), /^$/],
  [direct('deno', './task'), /task does not exist/],
  [direct('bash', 'task'), /task does not exist/],
  [direct('bash', '-x', 'task'), /^$/],
  // A relative folder of PATH is none: hooks may start elsewhere.
  [shell('good.sh'), /good\.sh is not on the PATH/],
])('with a PATH of our own, %j: %s', (hook, expected) => {
  expect(problem(hook, 'PreToolUse', undefined, { cwd, env: { PATH: `hooks:${bin}` } })).toMatch(expected)
})

test('without PATH and HOME, no program is found and ~ stays', () => {
  expect(problem(shell('bash x'), 'Stop', undefined, { cwd, env: {} })).toContain('bash is not on the PATH')
  expect(problem(shell('~/guard.sh'), 'Stop', undefined, { cwd, env: {} })).toContain('/~/guard.sh does not exist')
})

test('a script that cannot be read is named, and a program without a first line for an interpreter is good', () => {
  mkdirSync(join(cwd, 'hooks', 'folder.py'))
  expect(problem(direct('bash', 'hooks/folder.py'))).toContain('folder.py is not a file')
  script('text.sh', 'echo "#!/no/such/shell"\n')
  script('env.sh', '#! /usr/bin/env\t-S bash -e\n')
  script('other-env.sh', '#!/bin/environment no-such-interpreter\n')
  expect(problem(shell('hooks/text.sh'))).toBe('')
  expect(problem(shell('hooks/env.sh'))).toBe('')
  expect(problem(shell('hooks/other-env.sh'))).toContain('/bin/environment does not exist')
})

test('all problems are reported at once', () => {
  const table: HookTable = {
    PreToolUse: [{ hooks: [shell('./one'), shell('./two')] }],
    Stop: [{ hooks: [shell('./three')] }],
  }
  const line = (event: string, name: string) => `  hooks.${event}: ./${name}: ${join(cwd, name)} does not exist`
  const lines = [line('PreToolUse', 'one'), line('PreToolUse', 'two'), line('Stop', 'three')]
  expect(() => checkHooks(table, options)).toThrow(
    new RunError('config', `Hooks that cannot run:\n${lines.join('\n')}`),
  )
})

test('an `if` on an event without a call is refused: its hook would never run', () => {
  const hook: HookSettings = { type: 'command', command: 'true', if: 'Bash(git *)' }
  expect(problem(hook, 'Stop')).toContain('`if` needs a tool call')
  expect(problem(hook, 'PostToolUse')).toBe('')
})

test('a matcher that names a server, not its tools, is refused: it matches nothing', () => {
  const advice = 'the matcher mcp__github matches no tool: write mcp__github__.*'
  expect(problem(shell('true'), 'PreToolUse', 'Bash| mcp__github ')).toContain(advice)
  expect(problem(shell('true'), 'PreToolUse', 'not_mcp__github')).toBe('')
  expect(problem(shell('true'), 'PreToolUse', 'mcp__github__.*')).toBe('')
  expect(problem(shell('true'), 'PreToolUse', 'mcp__github__create')).toBe('')
})
