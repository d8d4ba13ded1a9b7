import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { checkNode } from '../../src/commands/doctor/checkPrograms.ts'
import { commandLine } from '../helpers/commandLine.ts'
import { makeFolder } from '../helpers/makeFolder.ts'
import { stubServer } from '../helpers/tools/testMcp.ts'

const KEY = 'sk-ant-test-0123456789'
const GOOD = 'version: 1\nsandbox: { mode: off }\n'

/** Answers as the API's list of models does: 200 for the key, 401 for another. */
async function listOfModels(): Promise<string> {
  const server = createServer((request, response) => {
    response.statusCode = request.headers.authorization === `Bearer ${KEY}` ? 200 : 401
    response.end(request.url?.startsWith('/v1/models') ? '{"data":[]}' : '')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function doctor({ policy = GOOD, env = {}, args = [] as readonly string[] } = {}) {
  const cwd = makeFolder()
  writeFileSync(join(cwd, 'policy.yml'), policy)
  const environment = {
    PATH: process.env['PATH'],
    ANTHROPIC_API_KEY: KEY,
    ANTHROPIC_BASE_URL: await listOfModels(),
    ...env,
  }
  return commandLine(cwd, ['doctor', '--policy', 'policy.yml', ...args], { environment, home: cwd })
}

describe('doctor', () => {
  it('reports no problem on a complete machine, and sends no paid request', async () => {
    const { code, out } = await doctor({ args: ['--json'] })
    const { checks } = JSON.parse(out) as { checks: { name: string; level: string }[] }
    expect(checks.map(({ name, level }) => `${name} ${level}`)).toEqual([
      ...['kode-run ok', 'node ok', 'git ok', 'policy ok', 'sandbox ok', 'variables ok', 'mcp ok'],
      ...['model ok', 'key ok', 'endpoint ok'],
    ])
    expect([code, out.includes(KEY)]).toEqual([0, false])
  })

  it('names the policy of the project if no policy is named', async () => {
    const cwd = makeFolder()
    mkdirSync(join(cwd, '.kode'))
    writeFileSync(join(cwd, '.kode/policy.yml'), GOOD)
    const { out } = await commandLine(cwd, ['doctor'], { environment: { PATH: process.env['PATH'] }, home: cwd })
    expect(out).toContain('! policy')
    expect(out).toContain('--policy .kode/policy.yml uses it.')
  })

  it.each([
    ['a policy with mistakes', { policy: 'version: 1\npermisions: {}\n' }, 78, /✗ policy .*permisions/],
    ['no key', { env: { ANTHROPIC_API_KEY: '' } }, 77, /✗ key .*--api-key-file/],
    ['a key that is refused', { env: { ANTHROPIC_API_KEY: 'sk-ant-wrong-000' } }, 77, /✗ endpoint .*rejects the key/],
    ['no endpoint', { env: { ANTHROPIC_BASE_URL: 'http://127.0.0.1:1' } }, 75, /✗ endpoint .*HTTPS_PROXY/],
    ['no git', { env: { PATH: '/nowhere' } }, 0, /! git .*Install git/],
    [
      'a server that does not start',
      {
        policy: JSON.stringify({
          version: 1,
          sandbox: { mode: 'off' },
          mcpServers: { gone: { command: '/nowhere/x' } },
        }),
      },
      69,
      /✗ mcp .*gone/s,
    ],
  ])('with %s says so', async (_, given, code, text) => {
    const found = await doctor(given)
    expect([found.code, found.out]).toEqual([code, expect.stringMatching(text)])
  })

  it('names the variables that commands do not get, and counts the rules that the policy has itself', async () => {
    const policy = 'version: 1\nsandbox: { mode: off }\npermissions: { presets: [read-only], allow: [Edit] }\n'
    const env = { TEAM_REGION: 'eu', NODE_EXTRA_CA_CERTS: '/etc/hosts' }
    const { out } = await doctor({ policy, env })
    expect(out).toMatch(/✓ variables +commands do not get .*ANTHROPIC_API_KEY.*TEAM_REGION; env\.pass or env\.secrets/)
    expect(out).not.toMatch(/do not get.*NODE_EXTRA_CA_CERTS/)
    expect(out).toMatch(/policy\.yml; rules of its own: 1, and \d+ of presets/)
  })

  it('starts the servers of the policy', async () => {
    const policy = JSON.stringify({ version: 1, sandbox: { mode: 'off' }, mcpServers: { stub: stubServer() } })
    const { code, out } = await doctor({ policy })
    expect([code, out]).toEqual([0, expect.stringMatching(/✓ mcp +stub +connected/)])
  })

  it('says how to fix a sandbox that does not start; it is an error only if the policy requires one', async () => {
    const PATH = makeFolder()
    mkdirSync(join(PATH, 'bin'))
    chmodSync(join(PATH, 'bin'), 0o755)
    const env = { PATH: join(PATH, 'bin') }
    const auto = await doctor({ env, policy: 'version: 1\n' })
    expect([auto.code, auto.out]).toEqual([0, expect.stringMatching(/! sandbox .*bubblewrap/is)])
    const required = await doctor({ env, policy: 'version: 1\nsandbox: { mode: required }\n' })
    expect([required.code, required.out]).toEqual([69, expect.stringMatching(/✗ sandbox .*bubblewrap/is)])
  })

  it.each([
    ['20.18.3', 'error'],
    ['18.20.0', 'error'],
    ['20.19.0', 'ok'],
    ['24.1.0', 'ok'],
  ])('Node %s: %s', (version, level) => {
    expect(checkNode(version).level).toBe(level)
  })

  it('of the built program leaves no key in its output', { tags: 'long' }, ({ skip }) => {
    skip(process.env['KODE_RUN_MUTATION_TESTS'] !== undefined, 'the program is built without the mutant')
    const { stdout, status } = spawnSync(process.execPath, ['dist/cli.js', 'doctor', '--json'], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: 'http://127.0.0.1:1' },
    })
    expect([status, stdout.includes(KEY), stdout.includes('"endpoint"')]).toEqual([75, false, true])
  })
})
