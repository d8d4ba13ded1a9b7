import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hasBubblewrap } from '../../helpers/bubblewrap.ts'
import { call, serveTurns } from '../../helpers/model/serveTurns.ts'
import { type CliFolders, type CliRun, runCli } from '../../helpers/runs/cliRun.ts'
import { isAlive } from '../../helpers/runs/isAlive.ts'
import { FINISH, type PlayedCall, playRun, read, startPlay, write } from '../../helpers/runs/playRun.ts'
import { sampled } from '../../helpers/sampled.ts'
import { stubServer } from '../../helpers/tools/testMcp.ts'

const peer = (name: string, ...args: string[]) => ({
  command: process.execPath,
  args: [resolve(`node_modules/@modelcontextprotocol/server-${name}/dist/index.js`), ...args],
})
const stub = (tool: string, input: PlayedCall['input'] = {}): PlayedCall => ({ name: `mcp__stub__${tool}`, input })
const policyOf = (mcpServers: object, permissions: object = { allow: ['mcp__stub'] }, more: object = {}) => ({
  ...{ permissions, mcpServers, ...more },
})

function initOf(run: CliRun) {
  const [first] = run.records
  if (first?.type !== 'system' || first.subtype !== 'init') throw new Error(`no init record: ${run.stderr}`)
  return first
}

it('three third-party servers work side by side, each call decided by its full name; resources are read', {
  tags: 'long',
}, async () => {
  const names = ['mcp__files__read_text_file', 'mcp__files__write_file', 'mcp__memory__create_entities']
  const tools = [...names, 'mcp__memory__read_graph', 'mcp__all__echo', 'ListMcpResources', 'ReadMcpResource']
  const entities = [{ name: 'kode', entityType: 'tool', observations: ['headless'] }]
  const server = await serveTurns(({ body, index }) => {
    const uri = /demo:\/\/[^"\\]+/.exec(JSON.stringify(body.messages))?.[0] ?? ''
    const read = { server: 'all', uri }
    const inputs = [
      ...[{ path: 'a.txt' }, { path: 'b.txt', content: 'x' }, { entities }, {}],
      ...[{ message: 'hi' }, { server: 'all' }, read],
    ]
    return index < tools.length ? call(tools[index] ?? '', inputs[index] ?? {}) : FINISH
  })
  const run = await runCli(['x', '--tools', tools.join()], {
    server,
    files: { 'a.txt': 'hello from a file' },
    policy: policyOf(
      {
        files: peer('filesystem', '.'),
        memory: { ...peer('memory'), env: { MEMORY_FILE_PATH: '${HOME}/memory.jsonl' } },
        all: peer('everything', 'stdio'),
      },
      { allow: ['mcp__files__read_*', 'mcp__memory', 'mcp__all__echo', 'ListMcpResources', 'ReadMcpResource'] },
      { sandbox: { mode: 'off' } },
    ),
  })
  const [read, written, , graph, echo, listed, resource] = run.toolResults()
  expect(read).toContain('hello from a file')
  expect(written).toContain('mcp__files__write_file')
  expect(existsSync(join(run.project, 'b.txt'))).toBe(false)
  expect(graph).toContain('headless')
  expect(readFileSync(join(run.home, 'memory.jsonl'), 'utf8')).toContain('headless')
  expect(echo).toContain('Echo: hi')
  expect(listed).toContain('demo://')
  expect(resource).toContain('[resource demo://')
  expect(run.code).toBe(0)
  expect(run.result().permission_denials.map(({ tool_name }) => tool_name)).toEqual(['mcp__files__write_file'])
  expect(initOf(run).mcp_servers).toEqual(['files', 'memory', 'all'].map((name) => ({ name, status: 'connected' })))
})

const FLAG = ['--mcp-config', 'flag.json']
it.each<[string[], boolean, string[]]>([
  [[], false, ['own']],
  [[], true, ['project', 'own']],
  [FLAG, false, ['own', 'flag']],
  [[...FLAG, '--strict-mcp-config'], true, ['flag']],
])(
  '.mcp.json counts if the policy enables it, --mcp-config adds, --strict-mcp-config replaces: %j, projectMcp: %s',
  { tags: 'long' },
  async (args, projectMcp, names) => {
    const stub = stubServer()
    // The project's own servers start in the sandbox, which may not show the folder of this checkout.
    const inside = { ...stub, args: ['stub.mjs'] }
    const other = (name: string) => JSON.stringify({ mcpServers: { [name]: inside } })
    const run = await playRun([], {
      args,
      files: {
        '.mcp.json': other('project'),
        'flag.json': other('flag'),
        'stub.mjs': readFileSync('test/helpers/stubMcp.mjs', 'utf8'),
      },
      policy: policyOf({ own: stub }, {}, { projectMcp }),
    })
    expect(initOf(run).mcp_servers.map(({ name }) => name)).toEqual(names)
  },
)

describe('misbehaving servers', { tags: 'long' }, () => {
  it('a crash fails the call; after three restarts the tools are gone', async () => {
    const [crash, echo] = [stub('crash'), stub('echo')]
    const calls = [crash, stub('echo', { a: 1 }), crash, crash, crash, echo]
    const run = await playRun(calls, { policy: policyOf({ stub: stubServer() }) })
    const results = run.toolResults()
    expect(results[0]).toMatch(/ended during the call .*out of cheese.*It is unknown whether the call took effect/s)
    expect(results[1]).toContain('{\\"a\\":1}')
    expect(results[5]).toContain('There is no tool "mcp__stub__echo"')
    const offered = (index: number) => JSON.stringify(run.api.requests[index]?.body.tools).includes('mcp__stub__')
    expect([offered(4), offered(5)]).toEqual([true, false])
    expect(run.records).toContainEqual(
      expect.objectContaining({ subtype: 'mcp_unavailable', server: 'stub', required: true }),
    )
  })

  it('a server whose script the run changed is not started again', async () => {
    const calls = [stub('crash'), read('server.mjs'), write('server.mjs', 'process.exit(0)'), stub('echo')]
    const run = await playRun(calls, {
      policy: policyOf(
        { stub: { command: 'node', args: ['server.mjs'] } },
        { allow: ['mcp__stub', 'Edit(server.mjs)'] },
        { sandbox: { mode: 'off' } },
      ),
      files: { 'server.mjs': `import ${JSON.stringify(resolve('test/helpers/stubMcp.mjs'))}\n` },
    })
    expect(run.toolResults()[3]).toContain('server.mjs was changed during the run')
  })

  it('floods and changes of tools are reported; results are redacted and cut, with the rest in a blob', async () => {
    const canary = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789'
    const calls = [stub('change'), stub('flood'), stub('environment'), stub('large', { size: 2_600_000 })]
    const run = await playRun(calls, {
      canaries: [canary],
      env: { DEPLOY_TOKEN: canary },
      policy: policyOf({
        stub: stubServer('normal', '', { env: { TOKEN: '${DEPLOY_TOKEN}', OWN_API_KEY: 'written-into-the-policy' } }),
      }),
    })
    const [, flooded, environment, large = ''] = run.toolResults()
    expect(flooded).toContain('flooded')
    expect(run.warnings().join('\n')).toContain('sends too many messages')
    expect(run.records).toContainEqual(expect.objectContaining({ subtype: 'mcp_tools_changed', server: 'stub' }))
    expect(environment).toContain('[REDACTED:DEPLOY_TOKEN]')
    expect(environment).toContain('[REDACTED:OWN_API_KEY]')
    expect(environment).not.toMatch(/ANTHROPIC/)
    expect(JSON.stringify(run.records)).not.toContain(canary)
    const blob = /\/\S+\/blobs\/[0-9a-f]{64}/.exec(large)?.[0] ?? ''
    expect([large.length < 100_000, readFileSync(blob, 'utf8').length]).toEqual([true, 2_600_000])
  })

  it('`env.pass` applies to servers as to commands, also with patterns', async () => {
    const run = await playRun([stub('environment')], {
      env: { FOO_ONE: 'first-foo', FOO_TWO: 'second-foo', BAR: 'no-foo' },
      policy: policyOf({ stub: stubServer() }, { allow: ['mcp__stub'] }, { env: { pass: ['FOO_*'] } }),
    })
    const [environment] = run.toolResults()
    expect(environment).toContain('first-foo')
    expect(environment).toContain('second-foo')
    expect(environment).not.toContain('no-foo')
  })

  it('tools that differ from mcp.lock end the start with 69', async () => {
    const servers = { stub: { echo: 'a'.repeat(64) } }
    const run = await playRun([], {
      policy: policyOf({ stub: stubServer() }),
      files: { '../mcp.lock': JSON.stringify({ version: 1, servers }) },
    })
    expect([run.code, run.stderr]).toEqual([69, expect.stringContaining('"echo" changed')])
  })
})

describe.skipIf(!hasBubblewrap)(
  'a server of which something lies in the checkout runs in the sandbox (needs bubblewrap)',
  () => {
    /** Writes beside the project, then goes as a server does that cannot work. */
    const trap = "require('node:fs').writeFileSync(`${process.env.HOME}/../canary`, 'x'); process.exit(3)\n"
    const files = { 'ci/server.cjs': trap, 'node_modules/thing/index.js': trap, 'src/settings.cjs': trap }

    it.each<[string, object]>(
      sampled(
        [
          ['its script', { command: 'node', args: ['ci/server.cjs'] }],
          ['its script by an option', { command: process.execPath, args: ['--require=./src/settings.cjs', '-e', '0'] }],
          ['its script by the folder of its entry', { command: 'node', args: ['server.cjs'], cwd: 'ci' }],
          [
            'what a variable of its entry names',
            { command: 'node', args: ['-e', '0'], env: { NODE_OPTIONS: '-r ./src/settings.cjs' } },
          ],
          ['a package, by its name', { command: 'node', args: ['-e', 'require("thing")'] }],
        ],
        1,
      ),
    )('%s', async (_name, entry) => {
      const stub = { ...entry, required: false, startTimeout: 5 }
      const run = await playRun([], { files, policy: policyOf({ stub }, {}, { sandbox: { mode: 'required' } }) })
      expect([run.code, existsSync(join(run.base, 'canary'))]).toEqual([0, false])
    })

    it('and any other server starts outside, not in the checkout', { tags: 'long' }, async () => {
      const args = ['-e', "require('node:fs').writeFileSync(`${process.env.HOME}/../canary`, process.cwd())"]
      const policy = policyOf({ stub: { command: 'node', args, required: false, startTimeout: 5 } })
      const run = await playRun([], { files, policy })
      const cwd = readFileSync(join(run.base, 'canary'), 'utf8')
      expect(cwd.startsWith(run.project)).toBe(false)
      expect(existsSync(cwd)).toBe(false)
    })
  },
)

describe('the end leaves no server process', () => {
  const family = stubServer('family', '${HOME}/../pids')
  const policy = policyOf({ family, stubborn: stubServer('stubborn') })
  const pidsOf = ({ base }: CliFolders) => readFileSync(join(base, 'pids'), 'utf8').split(' ').map(Number)

  it('after a run that ends by itself', { tags: 'long' }, async () => {
    const run = await playRun([], { policy })
    expect([run.code, pidsOf(run).map(isAlive)]).toEqual([0, [false, false]])
    expect(run.records.some((record) => 'subtype' in record && record.subtype === 'process_leaked')).toBe(false)
  })

  it('after SIGTERM in the middle of a call', { tags: 'long' }, async () => {
    const run = await startPlay([stub('hang')], {
      args: ['--output-format', 'stream-json'],
      policy: policyOf({ family, stub: stubServer() }),
    })
    await run.saw('tool_intent')
    run.child.kill('SIGTERM')
    const ended = await run.ended()
    expect([ended.code, ended.result().exit_reason, pidsOf(run).map(isAlive)]).toEqual([143, 'sigterm', [false, false]])
    expect(ended.toolResults()).toHaveLength(1)
  })

  it('after SIGTERM while a server starts', { tags: 'long' }, async () => {
    const run = await startPlay([], { policy: policyOf({ family, silent: stubServer('silent') }) })
    while (!existsSync(join(run.base, 'pids'))) await new Promise((done) => setTimeout(done, 20))
    run.child.kill('SIGTERM')
    const ended = await run.ended()
    expect([ended.code, pidsOf(run).map(isAlive), ended.records]).toEqual([143, [false, false], []])
  })

  it('after a start that fails for another reason', { tags: 'long' }, async () => {
    const run = await playRun([], { args: ['--tools', 'NoSuchTool'], policy })
    expect(pidsOf(run).map(isAlive)).toEqual([false, false])
  })
})
