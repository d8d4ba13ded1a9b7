import { resolve } from 'node:path'
import type { FlagValues } from '../../config/parseArguments.ts'
import { projectRoot } from '../../config/resolveConfig.ts'
import type { ProcessIo } from '../../contracts/processIo.ts'
import { jsonOrFile } from '../../lib/text/json.ts'
import { loadPolicy } from '../../policy/load/loadPolicy.ts'
import type { Policy } from '../../policy/Policy.ts'

/** The policy that a sub-command's flags name, read as a run would read it. `file` overrides `--policy`. */
export async function loadCommandPolicy(io: ProcessIo, flags: FlagValues, file?: string): Promise<Policy> {
  const named = file ?? (flags['policy'] as string | undefined)
  const settings = flags['settings'] as string | undefined
  return loadPolicy({
    ...(named === undefined ? {} : { file: resolve(io.cwd, named) }),
    ...(settings === undefined ? {} : { settings: [jsonOrFile(settings, io.cwd)] }),
    cwd: projectRoot(io, flags),
    home: io.home,
    flags: {
      allow: (flags['allowedTools'] as string[] | undefined) ?? [],
      deny: (flags['disallowedTools'] as string[] | undefined) ?? [],
    },
  })
}
