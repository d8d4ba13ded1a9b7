import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { HookTable } from '../../src/contracts/settings.ts'
import { call, serveTurns, textsOf } from '../helpers/model/serveTurns.ts'
import { type CliRun, runCli } from '../helpers/runs/cliRun.ts'

/** The hooks in these settings need what their authors had. */
const missing = ['jq', 'python3'].filter((program) => {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' })
    return false
  } catch {
    return true
  }
})

const settings = (name: string) => readFileSync(`test/policy/settings/${name}.json`, 'utf8')
const bash = (command: string) => call('Bash', { command })
const finish = () => call('Finish', { status: 'completed', summary: 'as far as it goes' })
const entryOf = (name: string) => resolve(`node_modules/@modelcontextprotocol/server-${name}/dist/index.js`)
const servers = (name: string) =>
  JSON.stringify({ mcpServers: { [name]: { command: process.execPath, args: [entryOf(name)] } } })

const denialsOf = (run: CliRun) => run.result().permission_denials.map(({ rule, reason }) => rule ?? reason)
const warningsOf = (run: CliRun) =>
  run.records.flatMap((record) => ('subtype' in record && record.subtype === 'warning' ? [record.message] : []))

function copyHooks(project: string): void {
  // What a server keeps in the checkout is scratch where git ignores it.
  execFileSync('git', ['init', '-q'], { cwd: project })
  writeFileSync(join(project, '.gitignore'), 'memory.jsonl\n')
  cpSync('test/hooks/scripts', join(project, '.claude/hooks'), { recursive: true })
  mkdirSync(join(project, '../docs'))
  // In one file: the project's own servers start in the sandbox, which may not show the folder of this checkout.
  execFileSync('node_modules/.bin/rolldown', [
    entryOf('memory'),
    '-o',
    join(project, 'memory.mjs'),
    '--platform',
    'node',
  ])
  const env = { MEMORY_FILE_PATH: join(project, 'memory.jsonl') }
  const memory = { command: process.execPath, args: ['memory.mjs'], env }
  writeFileSync(join(project, '.mcp.json'), JSON.stringify({ mcpServers: { memory } }))
}

describe.skipIf(missing.length > 0)(
  `Claude Code's settings as policies, unchanged (needs ${missing.join(', ') || 'nothing'})`,
  () => {
    it("a team's settings, with five scripts and .mcp.json beside them", { tags: 'long' }, async () => {
      const server = await serveTurns(
        bash('npm ci'),
        bash('git push origin --force'),
        call('Write', { file_path: 'package-lock.json', content: '{}' }),
        call('Read', { file_path: '.env' }),
        call('Write', { file_path: 'src/a.js', content: 'let a\n' }),
        call('ToolSearch', { query: 'select:mcp__memory__create_entities' }),
        call('mcp__memory__create_entities', { entities: [{ name: 'a', entityType: 'b', observations: ['c'] }] }),
        finish(),
        finish(),
      )
      const run = await runCli(['add a', '--settings', '.claude/settings.json'], {
        server,
        files: {
          '.claude/settings.json': settings('team'),
          '.env': 'A=b\n',
          'tests.failed': '',
        },
        prepare: copyHooks,
      })
      expect([run.code, run.stderr]).toEqual([0, expect.any(String)])
      expect(textsOf(server.requests[0])).toContain('House rule: every change comes with a test.')
      expect(server.requests[0]?.body.model).toBe('claude-sonnet-5-5')
      const intents = run.records.flatMap((record) =>
        'subtype' in record && record.subtype === 'tool_intent' ? [record] : [],
      )
      expect(intents[0]).toMatchObject({ tool_name: 'Bash', tool_input: { command: 'npm ci --ignore-scripts' } })
      expect(textsOf(server.requests[1])).toContain('Lifecycle scripts are switched off')
      expect(denialsOf(run)).toEqual([
        expect.stringMatching(
          /^PreToolUse hook .*guard-bash\.sh: Blocked: destructive command\. Ask a maintainer to run it\.$/,
        ),
        expect.stringMatching(/^PreToolUse hook python3 .*protect_files\.py: package-lock\.json is generated/),
        'Read(./.env)',
      ])
      expect(readFileSync(join(run.project, 'src/a.js'), 'utf8')).toBe('let a\n')
      expect(readFileSync(join(run.project, 'memory.jsonl'), 'utf8')).toContain('entityType')
      expect(JSON.stringify(server.requests[8]?.body.messages.at(-1))).toContain(
        'The tests fail: run them and fix what is red.',
      )
      expect(warningsOf(run).some((text) => text.includes('"includeCoAuthoredBy" has no meaning here'))).toBe(true)
    })

    it('settings grown by "don\'t ask again", given as the policy', { tags: 'long', timeout: 60_000 }, async () => {
      const server = await serveTurns(
        bash('mkdir out && grep -r x src'),
        bash('find . -name a.js -exec rm {} +'),
        bash('git push'),
        call('ToolSearch', { query: 'select:mcp__everything__echo,mcp__everything__get-env' }),
        call('mcp__everything__echo', { message: 'hi' }),
        call('mcp__everything__get-env', {}),
        finish(),
      )
      const run = await runCli(['x', '--policy', '.claude/settings.local.json', '--mcp-config', '.mcp.json'], {
        server,
        files: {
          '.claude/settings.local.json': settings('grown'),
          '.mcp.json': servers('everything'),
          'src/a.js': 'x\n',
        },
      })
      expect(run.code).toBe(0)
      const [first, , , , echo] = run.toolResults()
      expect(first).toContain('src/a.js')
      expect(echo).toContain('Echo: hi')
      expect(existsSync(join(run.project, 'src/a.js'))).toBe(true)
      expect(run.result().permission_denials.map(({ tool_input }) => Object.values(tool_input)[0])).toEqual([
        'find . -name a.js -exec rm {} +',
        'git push',
        undefined,
      ])
    })

    it('strict company settings, with one-line hooks', { tags: 'long' }, async () => {
      const server = await serveTurns(
        bash('docker ps'),
        bash('touch made'),
        bash('rm -rf src'),
        call('Write', { file_path: 'migrations/1.sql', content: 'drop' }),
        call('Write', { file_path: 'a.json', content: '{' }),
        finish(),
      )
      const run = await runCli(['x', '--settings', 'managed.json'], {
        server,
        files: { 'managed.json': settings('guarded'), 'src/a': '' },
      })
      expect(run.code).toBe(0)
      expect(denialsOf(run)).toEqual([
        expect.stringMatching(/^PermissionRequest hook jq .*: ask the platform team$/),
        'Bash(rm -rf:*)',
        'Edit(/migrations/**)',
      ])
      expect(run.toolResults()[0]).toMatch(/docker/)
      expect(['made', 'migrations/1.sql', 'a.json'].map((file) => existsSync(join(run.project, file)))).toEqual([
        false,
        false,
        true,
      ])
      expect(textsOf(server.requests[5])).toContain('A hook says about this call: parse error: Unfinished JSON')
      expect(run.records[0]).toMatchObject({ permissionMode: 'acceptEdits' })
    })
  },
)

it.each(['auto', 'off'])('go on without a working directory that is not there: sandbox %s', async (mode) => {
  const server = await serveTurns(bash('echo here'), finish())
  const permissions = { allow: ['Bash(echo *)'], additionalDirectories: ['../gone', 'a.txt'] }
  const policy = JSON.stringify({ version: 1, permissions, sandbox: { mode } })
  const run = await runCli(['x'], { server, policy, files: { 'a.txt': '' } })
  expect([run.code, run.toolResults()[0]]).toEqual([0, 'here'])
  expect(textsOf(server.requests[0])).not.toContain('gone')
  const missing = warningsOf(run).filter((text) => text.includes('additionalDirectories'))
  expect(missing).toEqual([expect.stringMatching(/there is no folder .*gone$/), expect.stringMatching(/a\.txt$/)])
})

it('names what the network refused under its own word', async () => {
  const connect =
    "exec 3<>/dev/tcp/127.0.0.1/${https_proxy##*:}; printf 'CONNECT a.example:443 HTTP/1.1\\r\\n\\r\\n' >&3"
  const server = await serveTurns(bash(`${connect}; head -c 12 <&3`), finish())
  const sandbox = { mode: 'off', network: 'allowlist', allow: ['b.example'] }
  const policy = JSON.stringify({ version: 1, permissions: { allow: ['Bash'] }, sandbox })
  const run = await runCli(['x'], { server, policy })
  expect(run.toolResults()[0]).toBe('HTTP/1.1 403')
  expect(run.stderr).toContain('! network: a.example:443 is not in sandbox.allow')
})

describe('hooks that the checkout brings', () => {
  const hooks: HookTable = {
    PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: '.claude/hooks/guard.sh' }] }],
  }
  const guard =
    '#!/bin/bash\n(echo outside > ../escape; touch inside) 2>/dev/null; env | grep -E "abcdefghijklmnop|ANTHROPIC" >&2; echo "not here" >&2; exit 2\n'
  const project = (projectHooks: boolean | undefined, sandbox: object) => ({
    files: {
      '.claude/settings.json': JSON.stringify({ hooks, permissions: { allow: ['Bash(git push)'] } }),
      '.claude/hooks/guard.sh': guard,
    },
    prepare: (folder: string) => chmodSync(join(folder, '.claude/hooks/guard.sh'), 0o755),
    policy: JSON.stringify({
      version: 1,
      permissions: { presets: ['read-only'] },
      sandbox,
      ...(projectHooks === undefined ? {} : { projectHooks }),
    }),
  })

  it.skipIf(!existsSync('/usr/bin/bwrap'))(
    'run in the sandbox where there is one, and so does what the policy runs from the checkout (needs bubblewrap)',
    { tags: 'long' },
    async () => {
      const server = await serveTurns(bash('ls'), finish(), bash('ls'), finish())
      const options = project(true, { mode: 'required' })
      const foreign = await runCli(['x'], { server, ...options, env: { DEPLOY_TOKEN: 'abcdefghijklmnop' } })
      expect(denialsOf(foreign)).toEqual(['PreToolUse hook .claude/hooks/guard.sh: not here'])
      expect(existsSync(join(foreign.base, 'escape'))).toBe(false)
      expect(existsSync(join(foreign.project, 'inside'))).toBe(false)
      const own = await runCli(['x'], {
        server,
        ...options,
        policy: JSON.stringify({
          version: 1,
          permissions: { presets: ['read-only'] },
          hooks,
          sandbox: { mode: 'required' },
        }),
      })
      expect(denialsOf(own)).toEqual(['PreToolUse hook .claude/hooks/guard.sh: not here'])
      expect(existsSync(join(own.base, 'escape'))).toBe(false)
    },
  )
})
