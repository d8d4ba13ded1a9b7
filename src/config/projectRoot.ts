import { realpathSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { RunError } from '../contracts/errors.ts'
import type { FlagValues } from './parseArguments.ts'

/** The folder of the project: `--cwd` or the current one, with links resolved, because rules are anchored there. */
export function projectRoot({ cwd }: { readonly cwd: string }, flags: FlagValues): string {
  const path = resolve(cwd, (flags['cwd'] as string | undefined) ?? '.')
  try {
    if (statSync(path).isDirectory()) return realpathSync(path)
  } catch (error) {
    throw new RunError('usage', `--cwd: there is no folder ${path}.`, { cause: error })
  }
  throw new RunError('usage', `--cwd: ${path} is not a folder.`)
}
