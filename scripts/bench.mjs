// Measures what a user waits for: `npm run bench [-- --json]`. Medians of interleaved runs on this machine.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'

const cli = fileURLToPath(new URL('../dist/cli.js', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'kode-run-bench-'))
const ROUNDS = 15
const TURNS = 200
const LINES = 50
writeFileSync(join(folder, 'file.txt'), 'one line\n'.repeat(LINES))
writeFileSync(
  join(folder, 'policy.yml'),
  'version: 1\npermissions:\n  presets: [read-only]\nrun: { maxTurns: 1000, maxToolCalls: 1000 }\n',
)
writeFileSync(join(folder, 'off.yml'), 'version: 1\nextends: ./policy.yml\nsandbox: { mode: off }\n')

/** One answer as server-sent events. */
function sse(content, stop) {
  const events = [
    {
      type: 'message_start',
      message: {
        id: `msg_${performance.now()}`,
        type: 'message',
        role: 'assistant',
        model: 'claude-sonnet-5-5',
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 10, output_tokens: 1 },
      },
    },
  ]
  for (const [index, block] of content.entries()) {
    if (block.type === 'text') {
      events.push({ type: 'content_block_start', index, content_block: { type: 'text', text: '' } })
      events.push({ type: 'content_block_delta', index, delta: { type: 'text_delta', text: block.text } })
    } else {
      events.push({
        type: 'content_block_start',
        index,
        content_block: { type: 'tool_use', id: block.id, name: block.name, input: {} },
      })
      events.push({
        type: 'content_block_delta',
        index,
        delta: { type: 'input_json_delta', partial_json: JSON.stringify(block.input) },
      })
    }
    events.push({ type: 'content_block_stop', index })
  }
  events.push(
    { type: 'message_delta', delta: { stop_reason: stop, stop_sequence: null }, usage: { output_tokens: 5 } },
    { type: 'message_stop' },
  )
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')
}

/** Runs the CLI against a loopback API that asks for `turns` Reads; what was measured from outside. */
async function measure(turns, policy) {
  const seen = { first: 0, bytes: 0, peakKb: 0, last: 0, requests: 0 }
  let pid = 0
  const server = createServer(async (request, response) => {
    const at = performance.now()
    if (seen.requests++ === 0) seen.first = at
    const chunks = []
    for await (const chunk of request) chunks.push(chunk)
    const body = JSON.parse(Buffer.concat(chunks).toString())
    if (seen.requests === 1) seen.bytes = Buffer.byteLength(JSON.stringify({ system: body.system, tools: body.tools }))
    const isLast = seen.requests > turns
    seen.last = at
    try {
      seen.peakKb = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)
    } catch {
      seen.peakKb = 0
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    // Another line each time: a run that makes the same call again and again is ended.
    const input = { file_path: 'file.txt', offset: (seen.requests % LINES) + 1 }
    const call = { type: 'tool_use', id: `toolu_${seen.requests}`, name: 'Read', input }
    response.end(isLast ? sse([{ type: 'text', text: 'done' }], 'end_turn') : sse([call], 'tool_use'))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const started = performance.now()
  const child = spawn(
    process.execPath,
    [
      cli,
      '--quiet',
      '--policy',
      join(folder, policy),
      '--cwd',
      folder,
      '--transcript',
      join(folder, `${Math.random()}.jsonl`),
      'read',
    ],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        ...plainEnvironment(),
        ANTHROPIC_API_KEY: 'sk-ant-bench-0123456789',
        ANTHROPIC_BASE_URL: `http://127.0.0.1:${server.address().port}`,
      },
    },
  )
  pid = child.pid
  await once(child, 'exit')
  const ended = performance.now()
  server.close()
  if (child.exitCode !== 0) throw new Error(`the run ended with ${child.exitCode}`)
  return {
    toFirst: seen.first - started,
    bytes: seen.bytes,
    peakMb: seen.peakKb / 1024,
    perTurn: turns > 0 ? (seen.last - seen.first) / turns : 0,
    exit: ended - seen.last,
  }
}

/** The same for all: Node starts more slowly with NODE_EXTRA_CA_CERTS and the like. */
function plainEnvironment() {
  return { PATH: process.env.PATH, HOME: folder }
}

async function bareNode() {
  const started = performance.now()
  const child = spawn(process.execPath, ['-e', '0'], { stdio: 'ignore', env: plainEnvironment() })
  await once(child, 'exit')
  return performance.now() - started
}

async function policySpeed() {
  const { evaluate, loadPolicy } = await import(fileURLToPath(new URL('../dist/index.js', import.meta.url)))
  const rules = Array.from(
    { length: 500 },
    (_, i) => `    - "Bash(tool${i} run *)"\n    - "Edit(/packages/p${i}/**)"\n`,
  ).join('')
  const file = join(folder, 'large.yml')
  writeFileSync(file, `version: 1\npermissions:\n  allow:\n${rules}`)
  const loads = []
  let policy
  for (let i = 0; i < 9; i++) {
    const at = performance.now()
    policy = await loadPolicy({ file, cwd: folder, home: folder })
    loads.push(performance.now() - at)
  }
  const word = (value) => ({ kind: 'literal', value })
  const times = []
  for (let i = 0; i < 3000; i++) {
    const argv = [`tool${i % 600}`, 'run', 'x'].map(word)
    const call = {
      tool: 'Bash',
      aliases: [],
      input: {},
      isFree: false,
      isReadOnly: false,
      subjects: [{ kind: 'command', text: 'x', chain: [{ argv, cover: 'prefix' }] }],
    }
    const at = performance.now()
    evaluate(policy, call)
    times.push(performance.now() - at)
  }
  times.sort((a, b) => a - b)
  return { loadMs: median(loads), decideMs: median(times), decideP99Ms: times[Math.floor(times.length * 0.99)] }
}

function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]
}

try {
  const bare = []
  const first = []
  const noSandbox = []
  for (let i = 0; i < ROUNDS; i++) {
    bare.push(await bareNode())
    first.push(await measure(0, 'policy.yml'))
    noSandbox.push(await measure(0, 'off.yml'))
  }
  const long = [
    await measure(TURNS, 'policy.yml'),
    await measure(TURNS, 'policy.yml'),
    await measure(TURNS, 'policy.yml'),
  ]
  const of = (runs, key) => median(runs.map((run) => run[key]))
  const floor = median(bare)
  const speed = await policySpeed()
  const rows = [
    ['node', process.version, ''],
    ['bare `node -e 0`', `${floor.toFixed(0)} ms`, ''],
    [
      'start to first request',
      `${of(first, 'toFirst').toFixed(0)} ms`,
      `bare + ${(of(first, 'toFirst') - floor).toFixed(0)} ms; aim + 130 ms`,
    ],
    [
      'the same, sandbox.mode: off',
      `${of(noSandbox, 'toFirst').toFixed(0)} ms`,
      `bare + ${(of(noSandbox, 'toFirst') - floor).toFixed(0)} ms`,
    ],
    ['peak memory, one turn', `${of(first, 'peakMb').toFixed(0)} MB`, 'aim 110 MB'],
    [`peak memory, ${TURNS} turns`, `${of(long, 'peakMb').toFixed(0)} MB`, ''],
    ['one turn with a Read', `${of(long, 'perTurn').toFixed(2)} ms`, 'aim 8 ms'],
    ['system prompt and tools', `${of(first, 'bytes')} bytes`, 'aim 12000 bytes'],
    ['last request to exit', `${of(first, 'exit').toFixed(0)} ms`, ''],
    ['load 1,000 rules', `${speed.loadMs.toFixed(1)} ms`, 'aim 30 ms'],
    [
      'decide with 1,000 rules',
      `${speed.decideMs.toFixed(3)} ms, p99 ${speed.decideP99Ms.toFixed(3)} ms`,
      'aim 1 ms, p99 5 ms',
    ],
  ]
  if (process.argv.includes('--json'))
    console.log(JSON.stringify(Object.fromEntries(rows.map(([name, value]) => [name, value])), null, 2))
  else for (const [name, value, note] of rows) console.log(`${name.padEnd(30)} ${value.padEnd(28)} ${note}`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
