import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findProgram } from '../../src/sandbox/environment/childPath.ts'
import { textsOf } from '../helpers/model/serveTurns.ts'
import type { CliRun } from '../helpers/runs/cliRun.ts'
import { eventsOf } from '../helpers/runs/hookRuns.ts'
import { bash, playRun, read, write } from '../helpers/runs/playRun.ts'

/** The hooks in these settings need what their authors had. */
const missing = ['jq', 'python3'].filter((name) => findProgram(name, process.env['PATH'] ?? '') === undefined)

const settings = (name: string) => readFileSync(`test/policy/settings/${name}.json`, 'utf8')
const call = (name: string, input = {}) => ({ name, input })
const entryOf = (name: string) => resolve(`node_modules/@modelcontextprotocol/server-${name}/dist/index.js`)
const servers = (name: string) =>
  JSON.stringify({ mcpServers: { [name]: { command: process.execPath, args: [entryOf(name)] } } })

const denialsOf = (run: CliRun) => run.result().permission_denials.map(({ rule, reason }) => rule ?? reason)
const warningsOf = (run: CliRun) => eventsOf(run, 'warning').map(({ message }) => message)

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
      const calls = [
        ...[bash('npm ci'), bash('git push origin --force'), write('package-lock.json', '{}'), read('.env')],
        ...[write('src/a.js', 'let a\n'), call('ToolSearch', { query: 'select:mcp__memory__create_entities' })],
        call('mcp__memory__create_entities', { entities: [{ name: 'a', entityType: 'b', observations: ['c'] }] }),
      ]
      const run = await playRun(calls, {
        args: ['--settings', '.claude/settings.json'],
        files: { '.claude/settings.json': settings('team'), '.env': 'A=b\n', 'tests.failed': '' },
        prepare: copyHooks,
      })
      const { requests } = run.api
      expect(run.code, run.stderr).toBe(0)
      expect(textsOf(requests[0])).toContain('House rule: every change comes with a test.')
      expect(requests[0]?.body.model).toBe('claude-sonnet-5-5')
      const [intent] = eventsOf(run, 'tool_intent')
      expect(intent).toMatchObject({ tool_name: 'Bash', tool_input: { command: 'npm ci --ignore-scripts' } })
      expect(textsOf(requests[1])).toContain('Lifecycle scripts are switched off')
      expect(denialsOf(run)).toEqual([
        expect.stringMatching(
          /^PreToolUse hook .*guard-bash\.sh: Blocked: destructive command\. Ask a maintainer to run it\.$/,
        ),
        expect.stringMatching(/^PreToolUse hook python3 .*protect_files\.py: package-lock\.json is generated/),
        'Read(./.env)',
      ])
      expect(readFileSync(join(run.project, 'src/a.js'), 'utf8')).toBe('let a\n')
      expect(readFileSync(join(run.project, 'memory.jsonl'), 'utf8')).toContain('entityType')
      const last = JSON.stringify(requests[8]?.body.messages.at(-1))
      expect(last).toContain('The tests fail: run them and fix what is red.')
      expect(warningsOf(run).some((text) => text.includes('"includeCoAuthoredBy" has no meaning here'))).toBe(true)
    })

    it('settings grown by "don\'t ask again", given as the policy', { tags: 'long', timeout: 60_000 }, async () => {
      const calls = [
        ...['mkdir out && grep -r x src', 'find . -name a.js -exec rm {} +', 'git push'].map((line) => bash(line)),
        call('ToolSearch', { query: 'select:mcp__everything__echo,mcp__everything__get-env' }),
        ...[call('mcp__everything__echo', { message: 'hi' }), call('mcp__everything__get-env')],
      ]
      const run = await playRun(calls, {
        args: ['--policy', '.claude/settings.local.json', '--mcp-config', '.mcp.json'],
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
      const lines = ['docker ps', 'touch made', 'rm -rf src'].map((line) => bash(line))
      const run = await playRun([...lines, write('migrations/1.sql', 'drop'), write('a.json', '{')], {
        args: ['--settings', 'managed.json'],
        files: { 'managed.json': settings('guarded'), 'src/a': '' },
      })
      expect(run.code).toBe(0)
      expect(denialsOf(run)).toEqual([
        expect.stringMatching(/^PermissionRequest hook jq .*: ask the platform team$/),
        'Bash(rm -rf:*)',
        'Edit(/migrations/**)',
      ])
      expect(run.toolResults()[0]).toMatch(/docker/)
      const made = ['made', 'migrations/1.sql', 'a.json'].filter((file) => existsSync(join(run.project, file)))
      expect(made).toEqual(['a.json'])
      expect(textsOf(run.api.requests[5])).toContain('A hook says about this call: parse error: Unfinished JSON')
      expect(run.records[0]).toMatchObject({ permissionMode: 'acceptEdits' })
    })
  },
)

it.each(['auto', 'off'])('go on without a working directory that is not there: sandbox %s', async (mode) => {
  const permissions = { allow: ['Bash(echo *)'], additionalDirectories: ['../gone', 'a.txt'] }
  const run = await playRun([bash('echo here')], { policy: { permissions, sandbox: { mode } }, files: { 'a.txt': '' } })
  expect([run.code, run.told[0]]).toEqual([0, 'here'])
  expect(textsOf(run.api.requests[0])).not.toContain('gone')
  const missing = warningsOf(run).filter((text) => text.includes('additionalDirectories'))
  expect(missing).toEqual([expect.stringMatching(/there is no folder .*gone$/), expect.stringMatching(/a\.txt$/)])
})

it('names what the network refused under its own word', async () => {
  const connect =
    "exec 3<>/dev/tcp/127.0.0.1/${https_proxy##*:}; printf 'CONNECT a.example:443 HTTP/1.1\\r\\n\\r\\n' >&3"
  const sandbox = { mode: 'off', network: 'allowlist', allow: ['b.example'] }
  const policy = { permissions: { allow: ['Bash'] }, sandbox }
  const run = await playRun([bash(`${connect}; head -c 12 <&3`)], { policy })
  expect(run.told[0]).toBe('HTTP/1.1 403')
  expect(run.stderr).toContain('! network: a.example:443 is not in sandbox.allow')
})

it.skipIf(!existsSync('/usr/bin/bwrap'))(
  'hooks that the checkout brings run in the sandbox where there is one, and so does what the policy runs from the checkout (needs bubblewrap)',
  { tags: 'long' },
  async () => {
    const hook = { type: 'command', command: '.claude/hooks/guard.sh' }
    const hooks = { PreToolUse: [{ matcher: 'Bash', hooks: [hook] }] }
    const guard =
      '#!/bin/bash\n(echo outside > ../escape; touch inside) 2>/dev/null; env | grep -E "abcdefghijklmnop|ANTHROPIC" >&2; echo "not here" >&2; exit 2\n'
    const base = { permissions: { presets: ['read-only'] }, sandbox: { mode: 'required' } }
    for (const more of [{ projectHooks: true }, { hooks }]) {
      const run = await playRun([bash('ls')], {
        files: {
          '.claude/settings.json': JSON.stringify({ hooks, permissions: { allow: ['Bash(git push)'] } }),
          '.claude/hooks/guard.sh': guard,
        },
        prepare: (folder) => chmodSync(join(folder, '.claude/hooks/guard.sh'), 0o755),
        policy: { ...base, ...more },
        env: { DEPLOY_TOKEN: 'abcdefghijklmnop' },
      })
      expect(denialsOf(run)).toEqual(['PreToolUse hook .claude/hooks/guard.sh: not here'])
      expect([join(run.base, 'escape'), join(run.project, 'inside')].filter((path) => existsSync(path))).toEqual([])
    }
  },
)
