import { spawn } from 'node:child_process'
import type { CapturedStream, CommandAccess, CommandRequest, CommandResult } from '../../../src/Tool.ts'

/** Real child processes without sandbox or spill files, for tests of tools that start a program. */
export function createTestCommands(environment: Readonly<Record<string, string>> = {}): CommandAccess {
  return {
    defaultTimeoutMs: 120_000,
    maxOutputCharacters: 30_000,
    run: (request) => run(request, environment),
    start: () => {
      throw new Error('this test starts no background command')
    },
    background: () => undefined,
    listBackground: () => [],
  }
}

function run(request: CommandRequest, environment: Readonly<Record<string, string>>): Promise<CommandResult> {
  const began = performance.now()
  const out: Buffer[] = []
  const err: Buffer[] = []
  return new Promise((resolve) => {
    let isTimedOut = false
    const joined = ['bash', ['-c', 'exec "$@" 2>&1', 'bash', request.file, ...request.args]] as const
    const [file, args] = request.isJoined === true && request.file === 'bash' ? joined : [request.file, request.args]
    const child = spawn(file, args, {
      cwd: request.cwd,
      env: { PATH: '/usr/local/bin:/usr/bin:/bin', ...environment, ...request.env },
      detached: true,
      stdio: [request.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    })
    const kill = () => {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    }
    const timer = setTimeout(() => {
      isTimedOut = true
      kill()
    }, request.timeoutMs)
    request.signal.addEventListener('abort', kill, { once: true })
    child.stdout?.on('data', (chunk: Buffer) => {
      out.push(chunk)
      request.onOutput?.(chunk.toString(), 'stdout')
    })
    child.stderr?.on('data', (chunk: Buffer) => {
      err.push(chunk)
      request.onOutput?.(chunk.toString(), 'stderr')
    })
    child.stdin?.end(request.input)
    const finish = (exitCode: number | null, signal: string | null, startError?: string) => {
      clearTimeout(timer)
      request.signal.removeEventListener('abort', kill)
      resolve({
        ...{ exitCode, signal, isTimedOut, isAborted: request.signal.aborted, timeoutMs: request.timeoutMs },
        stdout: capture(out),
        stderr: capture(err),
        durationMs: performance.now() - began,
        ...(startError === undefined ? {} : { startError }),
      })
    }
    child.on('error', (error) => finish(null, null, error.message))
    child.on('close', finish)
  })
}

function capture(chunks: readonly Buffer[]): CapturedStream {
  const whole = Buffer.concat(chunks)
  return { text: whole.toString(), bytes: whole.length, isTruncated: false }
}
