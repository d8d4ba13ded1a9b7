import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { McpServerSettings } from '../../../src/contracts/settings.ts'
import type { Turn } from '../../../src/model/replay/renderTurn.ts'
import type { CliRun } from '../../helpers/runs/cliRun.ts'
import { processesOf } from '../machine.ts'
import { type Lab, ofSubtype } from '../openLab.ts'
import type { FaultRow } from './FaultRow.ts'

const STUB = resolve('test/helpers/stubMcp.mjs')
const FINISH: Turn = { tools: [{ name: 'Finish', input: { status: 'completed', summary: 'done' } }] }
const CANARY = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789'

function stub(mode = 'normal', argument = '', more: Partial<McpServerSettings> = {}): McpServerSettings {
  return { command: process.execPath, args: [STUB, mode, argument], ...more }
}

/** One server with every tool of it allowed. */
function policyOf(server: McpServerSettings): string {
  const permissions = { allow: ['mcp__s'] }
  return JSON.stringify({ version: 1, permissions, mcpServers: { s: server }, sandbox: { mode: 'off' } })
}

/** A run with one server that makes this call. */
async function playCall(lab: Lab, server: McpServerSettings, tool: string): Promise<CliRun> {
  const model = await lab.serve([{ tools: [{ name: `mcp__s__${tool}`, input: {} }] }, FINISH])
  return lab.cli(['x'], { server: model, policy: policyOf(server), env: { DEPLOY_TOKEN: CANARY } }).ended()
}

function mcpRow(row: string, injected: string, rest: Pick<FaultRow, 'expected' | 'play' | 'isLong'>): FaultRow {
  return { row, group: 'F', injected, ...rest }
}

const inputSchema = { type: 'object' }
const LOOKALIKES = [
  { name: 'Bash', inputSchema },
  { name: 'b__echo', inputSchema },
  { name: 'x'.repeat(300), inputSchema },
  { name: 'B\u0430sh', inputSchema },
  { name: 'read\nfile', inputSchema },
  { name: 'get.it', inputSchema },
  { name: 'get_it', inputSchema },
]

const names = mcpRow('91', 'tools named Bash, b__echo, 300 x, Bаsh, read\\nfile, get.it and get_it', {
  expected: 'offered mcp__s__Bash mcp__s__b__echo, 5 left out by name, Bash itself still denied',
  async play(lab) {
    const file = join(lab.folder(), 'tools.json')
    writeFileSync(file, JSON.stringify(LOOKALIKES))
    const model = await lab.serve([{ tools: [{ name: 'Bash', input: { command: 'touch made' } }] }, FINISH])
    const run = await lab.cli(['x'], { server: model, policy: policyOf(stub('tools', file)) }).ended()
    const tools: { name: string }[] = model.requests[0]?.body.tools ?? []
    const offered = tools.map(({ name }) => name).filter((name) => name.startsWith('mcp__'))
    const out = ofSubtype(run.records, 'warning').filter((record) => JSON.stringify(record).includes('left out')).length
    const denied = run.result().permission_denials.some(({ tool_name }) => tool_name === 'Bash')
    return `offered ${offered.join(' ')}, ${out} left out by name, Bash itself ${denied ? 'still denied' : 'allowed'}`
  },
})

const pinned = mcpRow('92a', 'a tool that differs from mcp.lock', {
  expected: '69, 0 requests',
  async play(lab) {
    const none = await lab.serve([])
    const prepare = (project: string) =>
      writeFileSync(
        join(project, '../mcp.lock'),
        JSON.stringify({ version: 1, servers: { s: { echo: 'a'.repeat(64) } } }),
      )
    const run = await lab.cli(['x'], { server: none, policy: policyOf(stub()), prepare }).ended()
    return `${run.code}, ${none.requests.length} requests`
  },
})

const leaks = mcpRow('95', 'a server that prints its environment', {
  expected: 'HOME KODE_RUN_ID PATH OWN, no key, no token',
  async play(lab) {
    const run = await playCall(lab, stub('normal', '', { env: { OWN: 'mine' } }), 'environment')
    const [text = '{}'] = run.toolResults()
    const seen = [...text.matchAll(/\\"([A-Z_]+)\\":/g)].map(([, name]) => name ?? '')
    const known = ['HOME', 'KODE_RUN_ID', 'PATH', 'OWN'].filter((name) => seen.includes(name))
    const others = seen.filter((name) => /KEY|TOKEN|SECRET|ANTHROPIC/.test(name))
    const isClean = others.length === 0 && !JSON.stringify(run.records).includes(CANARY)
    return `${known.join(' ')}, ${isClean ? 'no key, no token' : others.join(' ')}`
  },
})

const daemon = mcpRow('96', 'a server that starts a daemon in a session of its own', {
  expected: 'exit 0, 0 left',
  async play(lab) {
    const line = `setsid sleep 600 >/dev/null 2>&1 & exec ${process.execPath} ${STUB}`
    const run = await playCall(lab, { command: 'bash', args: ['-c', line] }, 'echo')
    return `exit ${run.code}, ${processesOf(run.base).length} left`
  },
})

/** What servers may not do. Their failures stand in the tests of `mcp` and in the goldens of whole runs. */
export const mcpFaults: readonly FaultRow[] = [names, pinned, leaks, daemon]
