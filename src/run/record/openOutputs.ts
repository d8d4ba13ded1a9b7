import { openSync, writeFileSync } from 'node:fs'
import { messageOf, RunError } from '../../contracts/errors.ts'
import type { OutputSettings } from '../../contracts/settings.ts'
import { diffLine, outputLine, type ProposedOutput } from '../../lib/proposedOutput.ts'
import type { Redactor } from '../../lib/secrets/redact.ts'
import { judgeOutput } from '../../policy/paths/judgeOutput.ts'

/** The file that a run's proposed outputs go to; it is there with the first of them. */
export type Outputs = {
  /** Undefined: it is written. Otherwise what stands against it. */
  propose(output: ProposedOutput): string | undefined
  /** Adds what the run changed, where a pull request or a patch was proposed. */
  finish(diff: { readonly patch: string | null }, base: string | null): void
}

export type OutputsOptions = {
  readonly file: string
  readonly settings: OutputSettings
  readonly redactor: Redactor
}

/** Takes outputs as the policy declares them, without secrets. */
export function openOutputs({ file, settings, redactor }: OutputsOptions): Outputs {
  const taken: ProposedOutput[] = []
  let descriptor: number | undefined
  /** By one descriptor of a new file, so that no link put in its place leads a line elsewhere. */
  const write = (line: string) => {
    try {
      descriptor ??= openSync(file, 'ax', 0o600)
      writeFileSync(descriptor, line)
    } catch (error) {
      throw new RunError('io_error', `the outputs ${file} cannot be written: ${messageOf(error)}`, { cause: error })
    }
  }
  return {
    propose(output) {
      const problem = judgeOutput(output, settings, taken)
      if (problem !== undefined) return problem
      write(outputLine(redactor.value(output)))
      taken.push(output)
      return undefined
    },
    finish({ patch }, base) {
      const isNeeded = taken.some(({ kind }) => kind === 'pull_request' || kind === 'patch')
      if (isNeeded && patch !== null && base !== null) write(diffLine(base, redactor.text(patch)))
    },
  }
}

/** What the agent is told of the outputs it may propose; empty where there are none. */
export function outputsNote(settings: OutputSettings): string {
  const kinds = Object.entries(settings).map(([kind, { max, allow, target }]) => {
    const only = allow === undefined ? '' : `, only ${allow.join(', ')}`
    const where = target === undefined || kind === 'pull_request' ? '' : `, on ${target === '*' ? 'any' : `#${target}`}`
    return `- ${kind}: at most ${max}${only}${where}`
  })
  if (kinds.length === 0) return ''
  return ['You may propose these outputs by ProposeOutput; a later step applies them:', ...kinds].join('\n')
}
