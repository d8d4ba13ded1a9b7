import { openSync, writeFileSync } from 'node:fs'
import { messageOf, RunError } from '../../contracts/errors.ts'
import type { OutputSettings } from '../../contracts/settings.ts'
import { diffLine, outputLine, type ProposedOutput } from '../../lib/proposedOutput.ts'
import type { Redactor } from '../../lib/secrets/redact.ts'
import { judgeOutput } from '../../policy/paths/judgeOutput.ts'

export type Outputs = ReturnType<typeof openOutputs>

type OutputsOptions = { readonly file: string; readonly settings: OutputSettings; readonly redactor: Redactor }

/** Accepts the outputs that the policy declares, and redacts them. */
export function openOutputs({ file, settings, redactor }: OutputsOptions) {
  const taken: ProposedOutput[] = []
  let descriptor: number | undefined
  /** Writes through one descriptor of a new file, so that a link in its place cannot redirect a line. */
  const write = (line: string) => {
    try {
      descriptor ??= openSync(file, 'ax', 0o600)
      writeFileSync(descriptor, line)
    } catch (error) {
      throw new RunError('io_error', `the outputs ${file} cannot be written: ${messageOf(error)}`, { cause: error })
    }
  }
  return {
    /** Undefined if the output was written, otherwise why not. */
    propose(output: ProposedOutput) {
      const problem = judgeOutput(output, settings, taken)
      if (problem !== undefined) return problem
      write(outputLine(redactor.value(output)))
      taken.push(output)
      return undefined
    },
    /** Adds the changes of the run, if a pull request or a patch was proposed. */
    finish({ patch }: { readonly patch: string | null }, base: string | null) {
      const isNeeded = taken.some(({ kind }) => kind === 'pull_request' || kind === 'patch')
      if (isNeeded && patch !== null && base !== null) write(diffLine(base, redactor.text(patch)))
    },
  }
}

/** Tells the agent which outputs it may propose; empty if there are none. */
export function outputsNote(settings: OutputSettings): string {
  const kinds = Object.entries(settings).map(([kind, { max, allow, target }]) => {
    const only = allow === undefined ? '' : `, only ${allow.join(', ')}`
    const where = target === undefined || kind === 'pull_request' ? '' : `, on ${target === '*' ? 'any' : `#${target}`}`
    return `- ${kind}: at most ${max}${only}${where}`
  })
  if (kinds.length === 0) return ''
  return ['You may propose these outputs with ProposeOutput; a later step applies them:', ...kinds].join('\n')
}
