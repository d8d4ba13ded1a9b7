import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { createLineReader } from '../../lib/async/createLineReader.ts'
import { endProcessGroup, noteGroup } from '../../lib/process/endProcessGroup.ts'
import type { ServerProcess } from '../McpServers.ts'
import { codeOf } from '../tools/codeOf.ts'
import { serverText } from '../tools/serverText.ts'
import { createMessageGate } from './createMessageGate.ts'

/** How long a server may take to exit after its stdin closes, and again after TERM. */
const STDIN_GRACE_MS = 400
const TERM_GRACE_MS = 800
/** How long to wait for output that a dead server's children still hold open. */
const DRAIN_MS = 200
const MAX_LINE_BYTES = 10 * 1024 * 1024
const STDERR_TAIL = 2_000

export interface StdioTransport extends Transport {
  /** How the process ended and its last stderr output, for messages. Empty while it runs and prints nothing there. */
  detail(): string
  /** Ends the whole process group at once; settles when the client knows. */
  kill(): Promise<void>
}

type Notes = { ending: string; stderr: string }

/**
 * An MCP transport over the pipes of a child process in its own group. `close` closes its stdin, then sends TERM and
 * KILL to the group, so that a server behind a wrapper (`npx`) ends too; it settles within two seconds. A line of more
 * than 10 MB, or an exit, closes it. Source: MCP specification 2025-11-25, transports, stdio.
 */
export function createStdioTransport(server: ServerProcess): StdioTransport {
  const notes: Notes = { ending: '', stderr: '' }
  let running: { readonly stdin: Writable; readonly pid: number; readonly ended: Promise<void> } | undefined
  const transport: StdioTransport = {
    async start() {
      const { file, args, cwd, env } = server
      const child = spawn(file, args, { cwd, env, detached: true })
      readOutput(child, transport, notes)
      const { pid, stdin } = child
      if (pid !== undefined) running = { stdin, pid, ended: followEnd(child, pid, transport, notes) }
      await once(child, 'spawn').catch((error: unknown) => {
        throw codeOf(error) === 'ENOENT' ? new Error(`${file} was not found`, { cause: error }) : error
      })
    },
    async send(message) {
      try {
        await writeLine(running?.stdin, JSON.stringify(message))
      } catch (error) {
        // A server is ending: the client learns this before the broken pipe.
        await Promise.race([running?.ended, pause(2 * DRAIN_MS)])
        throw error
      }
    },
    async close() {
      if (running === undefined) return
      running.stdin.end()
      await Promise.race([running.ended, pause(STDIN_GRACE_MS)])
      await endProcessGroup(running.pid, TERM_GRACE_MS)
    },
    async kill() {
      if (running === undefined) return
      await endProcessGroup(running.pid, 0)
      await Promise.race([running.ended, pause(2 * DRAIN_MS)])
    },
    detail: () => [notes.ending, serverText(notes.stderr)].filter((part) => part !== '').join(': '),
  }
  return transport
}

function writeLine(stdin: Writable | undefined, line: string): Promise<void> {
  if (!stdin?.writable) return Promise.reject(new Error('the server is not running'))
  return new Promise((resolve, reject) => {
    stdin.write(`${line}\n`, (error) => (error ? reject(error) : resolve()))
  })
}

function readOutput(child: ChildProcessWithoutNullStreams, transport: StdioTransport, notes: Notes): void {
  const admit = createMessageGate()
  const receive = (line: string): void => {
    const message = admit(line)
    if (message instanceof Error) transport.onerror?.(message)
    else if (message !== undefined) transport.onmessage?.(message)
  }
  const onTooLong = (): void => {
    notes.ending = 'it sent a line of more than 10 MB'
    void transport.kill()
  }
  child.stdout.on('data', createLineReader(receive, { maxBytes: MAX_LINE_BYTES, onTooLong }))
  child.stderr.on('data', (chunk: Buffer) => {
    notes.stderr = (notes.stderr + chunk.toString('utf8')).slice(-STDERR_TAIL)
  })
  for (const source of [child, child.stdout, child.stderr]) {
    source.on('error', (error) => transport.onerror?.(error))
  }
  child.stdin.on('error', () => undefined) // The failed write reports it.
}

/** Waits for the exit, reads the rest of the pipes, informs the client, and ends the rest of the group. */
async function followEnd(
  child: ChildProcessWithoutNullStreams,
  pid: number,
  transport: StdioTransport,
  notes: Notes,
): Promise<void> {
  const forget = noteGroup(pid)
  const [code, signal] = await new Promise<[number | null, string | null]>((resolve) => {
    child.once('exit', (...ending) => resolve(ending))
  })
  notes.ending ||= signal === null ? `it ended with exit code ${code}` : `it was ended by ${signal}`
  await Promise.race([new Promise((resolve) => child.once('close', resolve)), pause(DRAIN_MS)])
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy()
  transport.onclose?.()
  await endProcessGroup(pid, TERM_GRACE_MS)
  forget()
}
