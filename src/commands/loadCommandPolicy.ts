import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import type { FlagValues } from '../config/parseArguments.ts'
import type { Door } from '../contracts/door.ts'
import { messageOf, RunError } from '../contracts/errors.ts'
import { loadPolicy } from '../policy/loadPolicy.ts'
import type { Policy } from '../policy/Policy.ts'

/** The policy that a sub-command's flags name, read as a run would read it. `file` stands in for `--policy`. */
export async function loadCommandPolicy(door: Door, flags: FlagValues, file?: string): Promise<Policy> {
  const named = file ?? (flags['policy'] as string | undefined)
  const settings = flags['settings'] as string | undefined
  return loadPolicy({
    ...(named === undefined ? {} : { file: resolve(door.cwd, named) }),
    ...(settings === undefined ? {} : { settings: [resolve(door.cwd, settings)] }),
    cwd: projectRoot(door, flags),
    home: door.home,
    flags: {
      allow: (flags['allowedTools'] as string[] | undefined) ?? [],
      deny: (flags['disallowedTools'] as string[] | undefined) ?? [],
    },
  })
}

/** `--cwd` or the current directory, links resolved. */
export function projectRoot(door: Door, flags: FlagValues): string {
  const path = resolve(door.cwd, (flags['cwd'] as string | undefined) ?? '.')
  try {
    return realpathSync(path)
  } catch (error) {
    throw new RunError('usage', `--cwd ${path}: ${messageOf(error)}`, { cause: error })
  }
}
