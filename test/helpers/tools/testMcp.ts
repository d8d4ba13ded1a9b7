import { mkdtempSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { onTestFinished } from 'vitest'
import type { RunEvent } from '../../../src/contracts/events.ts'
import type { McpServerSettings } from '../../../src/contracts/settings.ts'
import { connectServers } from '../../../src/mcp/connectServers.ts'
import type { McpOptions } from '../../../src/mcp/McpServers.ts'
import { findTool } from '../../../src/Tool.ts'
import { createToolContext, runTool } from './toolContext.ts'

const STUB = resolve('test/helpers/stubMcp.mjs')

/** A server that misbehaves as told; see `stubMcp.mjs`. */
export function stubServer(mode = 'normal', argument = '', more: Partial<McpServerSettings> = {}): McpServerSettings {
  return { command: process.execPath, args: [STUB, mode, argument], ...more }
}

/** A stub server with the given tools. */
export function stubTools(tools: readonly object[], more: Partial<McpServerSettings> = {}): McpServerSettings {
  const file = join(mkdtempSync(join(tmpdir(), 'kode-run-tools-')), 'tools.json')
  writeFileSync(file, JSON.stringify(tools))
  return stubServer('tools', file, more)
}

/** Connects real servers until the test ends; what is not given in `parts` is harmless. */
export async function connectTestServers(
  settings: Readonly<Record<string, McpServerSettings>>,
  parts: Partial<McpOptions> = {},
) {
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'kode-run-mcp-')))
  const events: RunEvent[] = []
  const context = createToolContext()
  const servers = await connectServers({
    ...{ servers: settings, cwd },
    env: { PATH: process.env['PATH'], HOME: cwd },
    fetch: (url, init) => fetch(url, init),
    blobs: context.blobs,
    signal: new AbortController().signal,
    onEvent: (event) => events.push(event),
    ...parts,
  })
  onTestFinished(() => servers.close())
  const call = (name: string, input: Readonly<Record<string, unknown>> = {}, signal = context.signal) => {
    const tool = findTool(servers.tools, name)
    if (!tool) throw new Error(`no tool ${name} among ${servers.tools.map((one) => one.name)}`)
    return runTool(tool, input, { ...context, signal })
  }
  return { servers, events, context, cwd, call }
}
