import { homedir } from 'node:os'
import type { Door } from '../contracts/door.ts'
import { createWriter } from '../report/writer.ts'
import { HANDOVER_VARIABLE, takeEnvironment } from '../sandbox/handover.ts'
import { readStdin } from './readStdin.ts'

/** The process as a door, and its end. */
export type ProcessDoor = Door & {
  /** True: this process was put in the place of another, by `startAnew`. */
  readonly isSuccessor: boolean
  /** Ends the process with this code once all output is written. */
  end(code: number): void
}

/** What is left waiting after the end (a server's socket, a pipe nobody reads) does not hold the process longer than this. */
const LINGER_MS = 250

/** What a reader of stdout has to take what is written, at the end. */
const SLOW_READER_MS = 60_000

/** Log that may wait for a slow reader of stderr. */
const MOST_LOG_BYTES = 8_000_000

/** Opens the door to this process. A reader that has gone is no error: the run goes on and its code stays. */
export function openDoor(): ProcessDoor {
  const stdout = createWriter(process.stdout)
  const stderr = createWriter(process.stderr, { mostWaiting: MOST_LOG_BYTES })
  const handover = process.env[HANDOVER_VARIABLE]
  delete process.env[HANDOVER_VARIABLE]
  return {
    argv: process.argv.slice(2),
    environment: handover === undefined ? { ...process.env } : takeEnvironment(handover),
    isSuccessor: handover !== undefined,
    cwd: process.cwd(),
    home: homedir(),
    print: stdout.write,
    warn: stderr.write,
    isTerminal: process.stderr.isTTY === true,
    columns: process.stderr.columns ?? 100,
    readStdin: (maxBytes, patienceMs) => readStdin(process.stdin, maxBytes, patienceMs),
    end(code) {
      process.exitCode = code
      process.stdin.destroy()
      const written = Promise.all([stdout.drain(), stderr.drain()])
      const linger = setTimeout(() => process.exit(code), SLOW_READER_MS)
      void written.then(() => {
        clearTimeout(linger)
        setTimeout(() => process.exit(code), LINGER_MS).unref()
      })
    },
  }
}
