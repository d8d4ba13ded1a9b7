import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url))
const slowServer = fileURLToPath(new URL('slowServer.mjs', import.meta.url))
const ANTHROPIC = { ANTHROPIC_API_KEY: 'sk-ant-bench-0123456789' }

const anthropicCalls = {
  shell: ({ line }) => ({ name: 'Bash', input: { command: line, description: 'a step' } }),
  read: ({ file, offset }) => ({ name: 'Read', input: { file_path: file, offset, limit: 1 } }),
  mcp: ({ number }) => ({ name: 'mcp__slow__wait', input: { number } }),
}

/**
 * How each agent is started and spoken to. `words` follow the program, `calls` are its tools, `cannot` says why one is missing.
 * Each may do here what the lines need: what its own sandbox costs is part of what it costs.
 */
const PEERS = [
  {
    name: 'kode-run',
    start: [process.execPath, cli],
    words: ({ folder, hasServer }) => ['--quiet', '--policy', join(folder, hasServer ? 'mcp.yml' : 'policy.yml'), 'go'],
    env: (url) => ({ ...ANTHROPIC, ANTHROPIC_BASE_URL: url }),
    prepare: ({ folder }) => {
      const run = 'run: { maxTurns: 100000, maxToolCalls: 100000, timeout: 2h }'
      const permissions = 'permissions: { presets: [workspace], allow: [mcp__slow__wait] }'
      const server = `{ command: ${JSON.stringify(process.execPath)}, args: [${JSON.stringify(slowServer)}] }`
      writeFileSync(join(folder, 'policy.yml'), `version: 1\n${permissions}\n${run}\n`)
      writeFileSync(
        join(folder, 'mcp.yml'),
        `version: 1\nextends: ./policy.yml\n${run}\nmcpServers: { slow: ${server} }\n`,
      )
    },
    calls: anthropicCalls,
    cannot: {},
  },
  {
    name: 'claude',
    words: ({ hasServer }) => [
      '-p',
      'go',
      '--allowedTools',
      'Bash,Read,mcp__slow__wait',
      ...(hasServer ? ['--mcp-config', JSON.stringify({ mcpServers: { slow: server } })] : []),
    ],
    env: (url) => ({ ...ANTHROPIC, ANTHROPIC_BASE_URL: url, CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' }),
    calls: anthropicCalls,
    cannot: {},
  },
  {
    name: 'codex',
    words: ({ url, hasServer }) => [
      ...['exec', '--skip-git-repo-check', '--sandbox', 'workspace-write', '-m', 'gpt-5.5'],
      ...['-c', 'model_provider="bench"', '-c', `model_providers.bench=${provider(url)}`],
      ...(hasServer ? ['-c', `mcp_servers.slow=${tomlOf(server)}`] : []),
      'go',
    ],
    env: () => ({ OPENAI_API_KEY: 'sk-bench-0123456789' }),
    calls: {
      shell: ({ line }) => ({ name: 'exec_command', input: { cmd: line, yield_time_ms: 30_000 } }),
      mcp: ({ number }) => ({ name: 'wait', namespace: 'mcp__slow', input: { number } }),
    },
    cannot: { read: 'has no tool that reads: its long runs read by shell' },
  },
  {
    name: 'pi',
    words: () => ['-p', '--provider', 'anthropic', '--model', 'claude-sonnet-4-5', 'go'],
    env: () => ({ ...ANTHROPIC, PI_OFFLINE: '1', PI_TELEMETRY: '0' }),
    prepare: ({ home, url }) => {
      const own = join(home, '.pi', 'agent')
      mkdirSync(own, { recursive: true })
      writeFileSync(join(own, 'models.json'), JSON.stringify({ providers: { anthropic: { baseUrl: url } } }))
    },
    calls: {
      shell: ({ line }) => ({ name: 'bash', input: { command: line } }),
      read: ({ file, offset }) => ({ name: 'read', input: { path: file, offset, limit: 1 } }),
    },
    cannot: { mcp: 'speaks no MCP of its own' },
  },
]

const server = { command: process.execPath, args: [slowServer] }
const tomlOf = ({ command, args }) => `{command=${JSON.stringify(command)},args=${JSON.stringify(args)}}`
const provider = (url) => `{name="bench",base_url="${url}/v1",wire_api="responses",env_key="OPENAI_API_KEY"}`

/** The agents that are here with their versions, and why others are not. `KODE_RUN_PEERS` names a folder to look in first. */
export function findPeers(withOthers) {
  const folders = [process.env.KODE_RUN_PEERS, ...(process.env.PATH ?? '').split(delimiter)].filter(Boolean)
  const [found, missing] = [[], []]
  for (const peer of withOthers ? PEERS : PEERS.slice(0, 1)) {
    const file = folders.map((folder) => join(folder, peer.name)).find((path) => existsSync(path))
    const start = peer.start ?? (file && [file])
    if (start === undefined) {
      missing.push(`${peer.name}: not on PATH nor in KODE_RUN_PEERS`)
      continue
    }
    const { status, stdout, stderr } = spawnSync(start[0], [...start.slice(1), '--version'], { encoding: 'utf8' })
    // pi writes it to stderr.
    const version = /\d+\.\d+\S*/.exec(`${stdout}${stderr}`)?.[0]
    if (status === 0) found.push({ ...peer, start, version })
    else missing.push(`${peer.name}: does not start: ${`${stderr}`.trim().split('\n').at(-1)}`)
  }
  return { found, missing }
}
