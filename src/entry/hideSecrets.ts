import { readFileSync, writeSync } from 'node:fs'
import { withFile } from '../lib/fs/diskPath.ts'
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
  const isHidden = overwrite(kept)
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
 * between `env_start` and `env_end`, fields 50 and 51 of `/proc/PID/stat`: proc(5). False if it still shows something
 * else, or where there is no such folder.
 */
export function keepOnly(kept: Kept, folder = '/proc/self'): boolean {
  return orElse(false, () => {
    const shown = readFileSync(`${folder}/environ`)
    const stat = readFileSync(`${folder}/stat`, 'latin1')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const [start, end] = [Number(fields[47]), Number(fields[48])]
    if (end - start !== shown.length) return false
    const wanted = withZeros(shown, kept)
    withFile(`${folder}/mem`, 'r+', (memory) => writeSync(memory, wanted, 0, wanted.length, start))
    return readFileSync(`${folder}/environ`).equals(wanted)
  })
}

/** The same bytes with the text of each other variable as zeros. */
export function withZeros(shown: Buffer, kept: Kept): Buffer {
  const left = shown
    .toString('latin1')
    .split('\0')
    .map((bytes) => {
      const text = Buffer.from(bytes, 'latin1').toString()
      const [name = ''] = text.split('=')
      return text === `${name}=${kept[name]}` ? bytes : '\0'.repeat(bytes.length)
    })
  return Buffer.from(left.join('\0'), 'latin1')
}
