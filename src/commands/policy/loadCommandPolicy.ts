import { resolve } from 'node:path'
import type { FlagValues } from '../../config/parseArguments.ts'
import { projectRoot } from '../../config/resolveConfig.ts'
import type { ProcessIo } from '../../contracts/processIo.ts'
import { jsonOrFile } from '../../lib/text/json.ts'
import { type LoadPolicyOptions, loadPolicy } from '../../policy/load/loadPolicy.ts'
import type { Policy } from '../../policy/Policy.ts'

/** The policy that flags name, for a run or a sub-command. `more` overrides what they say. */
export async function loadCommandPolicy(
  { cwd, home }: Pick<ProcessIo, 'cwd' | 'home'>,
  flags: FlagValues,
  more: Partial<LoadPolicyOptions> = {},
): Promise<Policy> {
  const { file = flags['policy'] as string | undefined } = more
  const settings = flags['settings'] as string | undefined
  const directories = (flags['add-dir'] as string[] | undefined)?.map((directory) => resolve(cwd, directory))
  return loadPolicy({
    cwd: projectRoot({ cwd }, flags),
    home,
    settings: settings === undefined ? undefined : [jsonOrFile(settings, cwd)],
    flags: {
      allow: flags['allowedTools'] as string[] | undefined,
      deny: flags['disallowedTools'] as string[] | undefined,
      directories,
    },
    ...more,
    file: file === undefined ? undefined : resolve(cwd, file),
  })
}
