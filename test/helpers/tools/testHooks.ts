import { mkdtempSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { RunEvent } from '../../../src/contracts/events.ts'
import type { HookSettings, HookTable } from '../../../src/contracts/settings.ts'
import { createHooks } from '../../../src/hooks/createHooks.ts'
import type { HookedCall, HookOptions } from '../../../src/hooks/Hooks.ts'
import { runCommand } from '../../../src/lib/process/runCommand.ts'

const STUB = resolve('test/helpers/stubHook.mjs')

/** A hook that misbehaves as told; see `stubHook.mjs`. */
export function stubHook(mode: string, argument = '', more: Partial<HookSettings> = {}): HookSettings {
  return { type: 'command', command: process.execPath, args: [STUB, mode, argument], ...more } as HookSettings
}

/** A call as the permissions hand it to hooks. */
export function hookedCall(tool: string, input: Readonly<Record<string, unknown>> = {}): HookedCall {
  const call = { tool, aliases: [], input, subjects: [], isFree: false, isReadOnly: false }
  return { call, toolUseId: 'toolu_1', parentToolUseId: null }
}

/** Hooks that run as real processes in a new temp folder, and the events they leave. */
export function createTestHooks(table: HookTable, parts: Partial<HookOptions> = {}) {
  const cwd = parts.cwd ?? realpathSync(mkdtempSync(join(tmpdir(), 'kode-run-hooks-')))
  const events: RunEvent[] = []
  const run: HookOptions['runOutside'] = (request) =>
    runCommand({ ...request, env: { PATH: process.env['PATH'] ?? '', HOME: cwd, ...request.env } })
  const hooks = createHooks({
    ...{ table, cwd, sessionId: 'session-1', transcriptPath: '/transcripts/session-1.jsonl' },
    permissionMode: () => 'default',
    ...{ runInside: run, runOutside: run, checkout: [cwd] },
    isHidden: () => false,
    folder: realpathSync(mkdtempSync(join(tmpdir(), 'kode-run-pins-'))),
    fetch: (url, init) => fetch(url, init),
    askModel: () => Promise.reject(new Error('this test has no model')),
    matchesRule: () => true,
    redact: (text) => text,
    power: () => {
      throw new Error('this test has no run')
    },
    onEvent: (event) => events.push(event),
    env: {},
    ...parts,
  })
  return { hooks, events, cwd, signal: new AbortController().signal }
}
