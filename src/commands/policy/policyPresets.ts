import { RunError } from '../../contracts/errors.ts'
import type { ProcessIo } from '../../contracts/processIo.ts'
import { didYouMean } from '../../lib/text/nearest.ts'
import { presets, readPreset } from '../../policy/presets.ts'
import type { CommandLine } from '../runCommandLine.ts'

/** `kode-run policy presets [NAME]`: lists the presets, or prints one, whose lines messages name. */
export async function policyPresets(io: ProcessIo, { positionals }: CommandLine): Promise<number> {
  const [asked] = positionals
  if (asked === undefined) {
    io.print(presets.map((name) => `${name.padEnd(12)} ${/^# (.*)$/m.exec(readPreset(name))?.[1] ?? ''}\n`).join(''))
    return 0
  }
  const name = presets.find((each) => each === asked)
  if (name === undefined) {
    const advice = didYouMean(asked, presets) || `; choose from ${presets.join(', ')}`
    throw new RunError('usage', `policy presets: there is no preset ${JSON.stringify(asked)}${advice}`)
  }
  io.print(readPreset(name))
  return 0
}
