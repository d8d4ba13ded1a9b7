import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { serveTurns } from '../helpers/model/serveTurns.ts'
import { type CliOptions, runCli } from '../helpers/runs/cliRun.ts'
import { isAlive } from '../helpers/runs/isAlive.ts'
import { sampled } from '../helpers/sampled.ts'
import { stubServer, stubTools } from '../helpers/tools/testMcp.ts'

const TOOL = { name: 'look', inputSchema: { type: 'object' } }
const policyOf = (more: object) => JSON.stringify({ version: 1, permissions: { presets: ['read-only'] }, ...more })

async function dryRun(more: object, options: CliOptions = {}, args: readonly string[] = []) {
  const server = await serveTurns()
  const run = await runCli(['--dry-run', ...args], { server, policy: policyOf(more), ...options })
  return { ...run, requests: server.requests.length }
}

describe('--dry-run', () => {
  it('shows what a run would start with, sends no request, and leaves nothing', async () => {
    const run = await dryRun({
      mcpServers: { stub: stubTools([TOOL]), gone: stubServer('exit', '', { required: false }) },
      hooks: {
        PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'true' }] }],
        Stop: [{ hooks: [{ type: 'prompt', prompt: 'is it good?' }] }],
      },
      sandbox: { mode: 'off' },
    })
    expect([run.code, run.requests, run.records]).toEqual([0, 0, []])
    expect(run.stdout).toContain(`policy   ${join(run.base, 'policy.yml')} (`)
    expect(run.stdout).toMatch(/^model {4}claude-\S+ of Messages API at 127\.0\.0\.1:\d+, key present; not asked$/m)
    expect(run.stdout).toMatch(/^sandbox {2}off \(off\): sandbox\.mode is off$/m)
    expect(run.stdout).toMatch(/^changes {2}watched: \S/m)
    expect(run.stdout).toMatch(/^hook {5}PreToolUse true\nhook {5}Stop prompt: is it good\?$/m)
    expect(run.stdout).toMatch(
      /^server {3}stub connected, \d+ ms, 1 tools\nserver {3}gone failed, \d+ ms, 0 tools: .*no database/m,
    )
    expect(run.stdout).toMatch(/^tools {4}.*Read.*mcp__stub__look$/m)
    expect(readdirSync(run.base).sort()).toEqual(['home', 'policy.yml', 'project'])
    expect(readdirSync(run.project)).toEqual([])
  })

  it('prints JSON with a JSON output format, and needs no task', { tags: 'long' }, async () => {
    const run = await dryRun({}, {}, ['--output-format', 'json', '--permission-mode', 'plan'])
    expect(JSON.parse(run.stdout)).toMatchObject({
      policy: { files: [join(run.base, 'policy.yml')], sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
      permissionMode: 'plan',
      api_key: 'present',
      hooks: [],
      mcp_servers: [],
      tools: expect.arrayContaining(['Read']),
      warnings: [],
    })
  })

  it('starts no hook and ends its servers', { tags: 'long' }, async () => {
    const run = await dryRun({
      mcpServers: { stub: stubServer('started', '${HOME}/../pids') },
      hooks: {
        SessionStart: [{ hooks: [{ type: 'command', command: 'touch ../hooked' }] }],
        SessionEnd: [{ hooks: [{ type: 'command', command: 'touch ../hooked' }] }],
      },
    })
    const [pid] = readFileSync(join(run.base, 'pids'), 'utf8').split('\n')
    expect([existsSync(join(run.base, 'hooked')), isAlive(Number(pid))]).toEqual([false, false])
  })

  const ends: readonly (readonly [string, number, object, CliOptions, readonly string[]])[] = [
    ['a wrong flag', 2, {}, {}, ['--max-turns', 'many']],
    ['a policy with a fault', 78, { permisions: {} }, {}, []],
    [
      'a hook without its script',
      78,
      { hooks: { Stop: [{ hooks: [{ type: 'command', command: './gone.sh' }] }] } },
      {},
      [],
    ],
    ['no key', 77, {}, { hasKey: false }, []],
    ['a required server that does not come up', 69, { mcpServers: { bad: stubServer('exit') } }, {}, []],
    ['a required sandbox that is missing', 69, { sandbox: { mode: 'required' } }, { env: { PATH: '/nowhere' } }, []],
    ['a transcript that cannot be made', 73, {}, {}, ['--transcript', '/nowhere/at/all.jsonl']],
  ]
  it.each(sampled(ends, 1))('ends as the run would: %s is %i', async (_, code, more, options, args) => {
    const run = await dryRun(more, options, args)
    expect([run.code, run.requests, run.stdout, run.stderr]).toEqual([
      code,
      0,
      '',
      expect.stringContaining('kode-run: '),
    ])
  })
})
