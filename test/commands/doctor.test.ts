import { spawnSync } from 'node:child_process'
import { chmodSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkNode } from '../../src/commands/doctor.ts'
import { VERSION } from '../../src/lib/version.ts'
import { commandLine } from '../helpers/commandLine.ts'
import { writeFiles } from '../helpers/effects/makeFiles.ts'
import { listenHere } from '../helpers/listenHere.ts'
import { makeFolder } from '../helpers/makeFolder.ts'
import { stubTools } from '../helpers/tools/testMcp.ts'
import { addProgram, STARTS } from '../sandbox/fakePrograms.ts'

const KEY = 'sk-ant-test-0123456789'
const NAMED = ['--policy', 'policy.yml']
const GOOD = 'version: 1\nsandbox: { mode: off }\n'

type Surroundings = {
  readonly policy?: string
  readonly files?: Readonly<Record<string, string>>
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly args?: readonly string[]
  /** What the API's list of models answers where the key is right. */
  readonly status?: number
}

function listOfModels(status: number): Promise<string> {
  const server = createServer((request, response) => {
    const { authorization } = request.headers
    response.statusCode = authorization === `Bearer ${KEY}` ? status : authorization === 'Bearer undefined' ? 500 : 401
    response.end(request.url === '/v1/models?limit=1' ? '{"data":[]}' : '')
  })
  return listenHere(server)
}

/** A machine with git, a key and an API that answers, or as told: what `doctor` says of it, without its places. */
async function doctor({ policy = GOOD, files = {}, env = {}, args = NAMED, status = 200 }: Surroundings) {
  const base = makeFolder()
  const cwd = join(base, 'project')
  const git = '#!/bin/sh\n[ -z "$BROKEN" ] && echo \'git version 2.39.5\'\n'
  writeFiles(cwd, { 'policy.yml': policy, '../bin/git': git, ...files })
  chmodSync(join(base, 'bin/git'), 0o755)
  const url = await listOfModels(status)
  const usual = { PATH: join(base, 'bin'), ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: url }
  const environment = Object.fromEntries(
    Object.entries({ ...usual, ...env }).map(([name, value]) => [name, value?.replace('API', url)]),
  )
  const { code, out } = await commandLine(cwd, ['doctor', ...args], { environment, home: base })
  const known = [url, process.versions.node, VERSION, base]
  const named = ['API', 'NODE', 'VERSION', 'BASE']
  const said = known.reduce((text, word, index) => text.replaceAll(word, named[index] ?? ''), out)
  return {
    code,
    out: said
      .replace(/ +\d+ ms/g, '  N ms')
      .replace(/\d+(?= of presets)|(?<=-sdk )[\d.]+/g, 'N')
      .replaceAll(process.execPath, 'node'),
  }
}

const GONE = { command: '/nowhere/x' }
const servers = (mcpServers: object) => JSON.stringify({ version: 1, sandbox: { mode: 'off' }, mcpServers })
const many = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`TEAM_${String(n).padStart(2, '0')}`, 'x']))
const NO_KEY = { ANTHROPIC_API_KEY: '' }
const of = (yaml: string): Surroundings => ({ policy: `${GOOD}${yaml}\n` })
const BEDROCK = { CLAUDE_CODE_USE_BEDROCK: '1', ANTHROPIC_API_KEY: undefined, ANTHROPIC_BEDROCK_BASE_URL: 'API' }

const MACHINES: readonly (readonly [name: string, code: number, given: Surroundings])[] = [
  ['all is there', 0, {}],
  ['all is there, as JSON', 0, { args: [...NAMED, '--json'] }],
  // The policy.
  ['no policy is named', 0, { args: [], policy: '' }],
  ['no policy is named, but the project has one', 0, { args: [], files: { '.kode/policy.yml': GOOD } }],
  ['the policy is not there', 78, { args: ['--policy', 'gone.yml'] }],
  ['the policy has mistakes', 78, { policy: 'version: 1\npermisions: {}\nrun: { maxTurns: x }\n' }],
  ['a hook is not there', 78, of('hooks: { Stop: [{ hooks: [{ type: command, command: ./no.sh }] }] }')],
  ['a pattern is none', 78, of('redact: { patterns: ["("] }')],
  ['the policy has doubtful rules', 0, of('permissions: { allow: [Bsh, "Edit(./**)"], deny: ["Bash(rm)"] }')],
  ['the policy has rules and presets', 0, of('permissions: { presets: [read-only], allow: [Edit] }')],
  // Programs and variables.
  ['there is no git', 0, { env: { PATH: '/nowhere' } }],
  ['git is broken', 0, { files: { '../bin/git': '#!/bin/sh\necho no such option >&2; exit 3\n' } }],
  ['commands get all variables', 0, of('env: { pass: ["*"] }')],
  ['commands do not get many variables', 0, { env: { ...many, NODE_EXTRA_CA_CERTS: '/etc/hosts' } }],
  // Servers.
  ['a server starts', 0, { policy: servers({ stub: stubTools([{ name: 'look', inputSchema: { type: 'object' } }]) }) }],
  ['a server does not start', 69, { policy: servers({ gone: GONE }) }],
  ['a server that need not does not start', 0, { policy: servers({ gone: { ...GONE, required: false } }) }],
  ['a server has no variable', 78, { policy: servers({ a: { command: 'x', args: ['${NOT_THERE}'] } }) }],
  // The model and its key.
  ['the policy names a model', 0, of('run: { model: haiku }')],
  ['a variable names a model', 0, { env: { ANTHROPIC_MODEL: 'opus' } }],
  ['there is no key', 77, { env: NO_KEY }],
  ['the key is in a file', 0, { args: [...NAMED, '--api-key-file', 'key'], files: { key: `${KEY}\n` }, env: NO_KEY }],
  [
    'a variable names the file of the key',
    0,
    { files: { key: KEY }, env: { KODE_RUN_API_KEY_FILE: 'key', ...NO_KEY } },
  ],
  ['the file of the key is not there', 77, { args: [...NAMED, '--api-key-file', 'gone'] }],
  ['a helper prints the key', 0, { ...of('run: { apiKeyHelper: /usr/local/bin/key }'), env: NO_KEY }],
  ['the key is refused', 77, { env: { ANTHROPIC_API_KEY: 'sk-ant-wrong-000' } }],
  ['the key may not', 77, { status: 403 }],
  ['the address ends with a slash', 0, { env: { ANTHROPIC_BASE_URL: 'API/' } }],
  ['a gateway has no list of models', 0, { status: 404 }],
  ['the API is overloaded', 0, { status: 529 }],
  ['nobody answers', 75, { env: { ANTHROPIC_BASE_URL: 'http://127.0.0.1:65535' } }],
  ['the API is elsewhere', 75, { status: 302 }],
  ['the address is none', 78, { env: { ANTHROPIC_BASE_URL: 'gateway' } }],
  ['the key would leave in clear text', 78, { env: { ANTHROPIC_BASE_URL: 'http://api.example' } }],
  ['the proxy is none', 78, { env: { HTTP_PROXY: 'proxy' } }],
  ['the certificates are not there', 78, { env: { SSL_CERT_FILE: '/dev/null/ca.pem' } }],
  ['a cloud answers', 0, { env: BEDROCK }],
  ['two clouds are named', 2, { env: { ...BEDROCK, CLAUDE_CODE_USE_VERTEX: '1' } }],
]

describe('doctor', () => {
  // Read it as somebody whose first run fails: `npx vitest run test/commands/doctor.test.ts -u` writes it.
  it('says of each machine what is there and what is missing', { timeout: 120_000 }, async () => {
    const told: string[] = []
    const codes: (readonly [string, number])[] = []
    const usual = new Set([''])
    const first = MACHINES[0]?.[2]
    for (const [name, , given] of MACHINES) {
      const { code, out } = await doctor(given)
      // Only what the first machine does not have. Which walls there are besides bubblewrap, each machine decides.
      const lines = out.replace(/^! sandbox .*/gm, '! sandbox    (see below)').split('\n')
      told.push(`== ${name}: ${code}`, ...lines.filter((line) => !usual.has(line)), '')
      if (given === first) for (const line of lines) usual.add(line)
      codes.push([name, code])
    }
    expect(told.join('')).not.toContain(KEY)
    await expect(told.join('\n')).toMatchFileSnapshot('golden/doctor.txt')
    expect(codes).toEqual(MACHINES.map(([name, code]) => [name, code]))
  })

  it('tests the sandbox without a working directory that is not there', async () => {
    const PATH = process.env['PATH']
    const policy = 'version: 1\npermissions: { additionalDirectories: [../gone] }\n'
    const { code, out } = await doctor({ env: { PATH }, policy })
    expect([code, out]).toEqual([0, expect.stringMatching(/[✓!] sandbox /)])
  })

  it('says how to fix a sandbox that does not start; it is an error only if the policy requires one', async () => {
    const env = { PATH: makeFolder() }
    const auto = await doctor({ env, policy: 'version: 1\n' })
    expect([auto.code, auto.out]).toEqual([0, expect.stringMatching(/! sandbox .*bubblewrap/is)])
    const required = await doctor({ env, policy: 'version: 1\nsandbox: { mode: required }\n' })
    const words = /✗ sandbox +it does not start.*bubblewrap/is
    expect([required.code, required.out]).toEqual([69, expect.stringMatching(words)])
  })

  it('says so of a sandbox of which a run has a part', async () => {
    const PATH = makeFolder()
    addProgram(PATH, 'bwrap', STARTS)
    const { code, out } = await doctor({ env: { PATH }, policy: 'version: 1\n' })
    const words = /! sandbox +a run has it only in part: changes could not be undone: unshare is missing/
    expect([code, out]).toEqual([0, expect.stringMatching(words)])
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
      env: { PATH: process.env['PATH'], ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: 'http://127.0.0.1:65535' },
    })
    expect([status, stdout.includes(KEY), stdout.includes('"endpoint"')]).toEqual([75, false, true])
  })
})
