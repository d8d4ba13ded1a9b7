import type { EffectsReport } from '../contracts/effects.ts'
import type { CommandOutput } from '../lib/process/commandOutput.ts'
import { describeEffects } from './describeEffects.ts'

/** The output of a command, with a last line on changes that were not kept. Such a line makes it an error. */
export function withEffects(output: CommandOutput, effects: EffectsReport | undefined, root: string): CommandOutput {
  const notKept = effects === undefined ? '' : describeEffects(effects, root)
  return notKept === '' ? output : { ...output, notKept, isError: true }
}
