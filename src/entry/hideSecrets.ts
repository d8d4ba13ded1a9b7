import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'
import { orElse } from '../lib/orElse.ts'
import { withoutSecrets, writeHandover } from '../sandbox/handover.ts'

type Successor = (file: string, args: readonly string[], environment: Readonly<Record<string, string>>) => never
type Kept = Readonly<Record<string, string>>

/**
 * Takes secrets out of the environment that every process of the same user can read in `/proc`: they are overwritten in
 * memory. Where that is not possible, this process is replaced by one without them (Node 22.15 or newer), which gets them
 * through a file that is deleted when `openProcessIo` reads it. False: they are only removed from `process.env`.
 */
export function hideSecrets(overwrite: (kept: Kept) => boolean = keepOnly): boolean {
  const { env, platform } = process
  const kept = withoutSecrets(env)
  const isHidden = platform === 'linux' && overwrite(kept)
  if (!isHidden && platform !== 'win32') replaceProcess()
  for (const name of Object.keys(env)) if (!(name in kept)) delete env[name]
  return isHidden
}

function replaceProcess(): void {
  const execve: Successor | undefined = Reflect.get(process, 'execve')
  const { execPath, execArgv, argv, env } = process
  if (typeof execve !== 'function') return
  execve.call(process, execPath, [execPath, ...execArgv, ...argv.slice(1)], writeHandover(env))
}

/**
 * Overwrites with zeros what this process was started with, but these variables. `/proc/PID/environ` shows the memory
 * between `env_start` and `env_end`, fields 50 and 51 of `/proc/PID/stat`: proc(5). False if it still shows something else.
 */
function keepOnly(kept: Kept): boolean {
  return orElse(false, () => {
    const shown = readFileSync('/proc/self/environ')
    const stat = readFileSync('/proc/self/stat', 'latin1')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const [start, end] = [Number(fields[47]), Number(fields[48])]
    if (end - start !== shown.length) return false
    const wanted = withZeros(shown, kept)
    const memory = openSync('/proc/self/mem', 'r+')
    try {
      writeSync(memory, wanted, 0, wanted.length, start)
    } finally {
      closeSync(memory)
    }
    return readFileSync('/proc/self/environ').equals(wanted)
  })
}

/** The same bytes with the text of each other variable as zeros. */
export function withZeros(shown: Buffer, kept: Kept): Buffer {
  const bytes = Buffer.from(shown)
  for (let at = 0; at < bytes.length; ) {
    const next = shown.indexOf(0, at)
    const end = next === -1 ? bytes.length : next
    const text = shown.toString('utf8', at, end)
    const name = text.slice(0, Math.max(text.indexOf('='), 0))
    if (text !== `${name}=${kept[name]}`) bytes.fill(0, at, end)
    at = end + 1
  }
  return bytes
}
