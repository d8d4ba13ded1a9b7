import { fstatSync, writeFileSync } from 'node:fs'
import { homedir, userInfo } from 'node:os'
import { isAbsolute } from 'node:path'
import { Writable } from 'node:stream'
import { setFlagsFromString } from 'node:v8'
import { EXIT_CODES } from '../contracts/errors.ts'
import type { ProcessIo } from '../contracts/processIo.ts'
import { orElse } from '../lib/orElse.ts'
import { createWriter } from '../report/transcript/writer.ts'
import { HANDOVER_VARIABLE, readHandover } from '../sandbox/handover.ts'
import { readStdin } from './readStdin.ts'

/**
 * Keeps V8's heap small, because most objects of a turn are garbage after it: the young generation would otherwise grow to
 * 32 MB, and the old one to four times of what lives in it. V8 reads these options each time before it grows.
 */
const THRIFTY = '--semi-space-growth-factor=1 --heap-growing-percent=60'

/**
 * Node 20 and 22 compile all of the HTTP parser's WebAssembly a second time, in the background, and wait for it at the end:
 * 130 ms. Newer ones compile again only what is used much.
 */
const COMPILE_ONCE = Number(process.versions.node.split('.')[0]) < 24 ? '--liftoff-only' : ''

/** The options for a run, and what they are without it. */
export const V8_FLAGS = {
  small: `${THRIFTY} ${COMPILE_ONCE}`,
  usual:
    '--semi-space-growth-factor=2 --heap-growing-percent=0 --no-liftoff-only --wasm-tier-up --wasm-dynamic-tiering',
} as const

export type ProcessControl = ProcessIo & {
  /** True: this process replaced another one, by `hideSecrets`. */
  readonly isSuccessor: boolean
  /** Ends the process once all output is written. A success becomes a failure if stdout could not be. */
  end(code: number): void
}

/** How long to wait at the end for a slow reader of stdout. */
const SLOW_READER_MS = 60_000

/** How much log output is buffered for a slow reader of stderr. */
const MAX_LOG_BYTES = 8_000_000

/** A closed reader is not an error: the run continues with its exit code. A full disk is one. */
export function openProcessIo(): ProcessControl {
  const stdout = createWriter(openStdout())
  const stderr = createWriter(process.stderr, { maxWaiting: MAX_LOG_BYTES })
  const handover = process.env[HANDOVER_VARIABLE]
  delete process.env[HANDOVER_VARIABLE]
  const endOutput = async (code: number): Promise<number> => {
    await stdout.drain()
    const failure = stdout.failure()
    if (failure !== undefined) stderr.write(`│ kode-run: stdout cannot be written: ${failure.message}\n`)
    await stderr.drain()
    return code === 0 && failure !== undefined ? EXIT_CODES.io_error.code : code
  }
  return {
    argv: process.argv.slice(2),
    environment: handover === undefined ? { ...process.env } : readHandover(handover),
    isSuccessor: handover !== undefined,
    cwd: process.cwd(),
    home: findHome(),
    print: stdout.write,
    warn: stderr.write,
    isTerminal: process.stderr.isTTY === true,
    columns: process.stderr.columns ?? 100,
    keepSmall: () => setFlagsFromString(V8_FLAGS.small),
    stdin: () => process.stdin,
    readStdin: (maxBytes, patience) => readStdin(process.stdin, maxBytes, { ...patience, onWait: stderr.write }),
    end(code) {
      process.exitCode = code
      process.stdin.destroy()
      const linger = setTimeout(() => process.exit(code), SLOW_READER_MS)
      void endOutput(code).then((last) => {
        process.exitCode = last
        clearTimeout(linger)
        process.exit(last)
      })
    },
  }
}

/** `HOME` if it is an absolute path, otherwise the home in the user database; `/` for a user without either. */
function findHome(): string {
  for (const home of [homedir, () => userInfo().homedir]) {
    try {
      if (isAbsolute(home())) return home()
    } catch {
      // The user database has no entry for this user, as in many containers.
    }
  }
  return '/'
}

/** Writes each text completely or not at all. Node's own stream accepts a partial write when the disk is full. */
function openStdout(): Writable {
  const { fd } = process.stdout
  // It may be closed from the start.
  if (!orElse(false, () => fstatSync(fd).isFile())) return process.stdout
  return new Writable({
    decodeStrings: false,
    write(text: string, _, done) {
      try {
        writeFileSync(fd, text)
        done()
      } catch (error) {
        done(error as Error)
      }
    },
  })
}
