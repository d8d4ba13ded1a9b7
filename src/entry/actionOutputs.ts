import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { EXIT_CODES, type ExitReason } from '../contracts/errors.ts'
import type { RunReport } from '../report/fold/runReport.ts'
import { deniedCalls } from '../report/words.ts'

/** GitHub takes at most 1 MB for an output. */
const LARGEST_VALUE = 1_000_000

/** The outputs of `action.yml`. A test keeps both in step. */
export const OUTPUTS = [
  'conclusion',
  'exit_code',
  'exit_reason',
  'result',
  'structured_output',
  'execution_file',
  'transcript_file',
  'session_id',
  'total_cost_usd',
  'denials',
  'patch_file',
  'report_file',
  'outputs_file',
  'attestation_file',
  'predicate_file',
] as const

export type ActionOutputs = Readonly<Record<(typeof OUTPUTS)[number], string>>

/** Paths of the files that a run left; empty for missing ones. */
type ActionFiles = Omit<Pick<ActionOutputs, Extract<keyof ActionOutputs, `${string}_file`>>, 'patch_file'>

/**
 * The outputs for later steps. A value that is too large for an output becomes a file in `folder`, and the output its
 * path. A run without an end record is a failure.
 */
export function outputsOf(report: RunReport, folder: string, files: ActionFiles): ActionOutputs {
  const { result, patch, sessionId, costUsd, verdict } = report
  const structured = result?.structured_output ?? null
  return {
    ...endingOutputs(verdict.exitReason),
    result: sized(result?.result ?? '', join(folder, 'result.md')),
    structured_output: structured === null ? '' : sized(JSON.stringify(structured), join(folder, 'structured.json')),
    ...files,
    session_id: sessionId ?? '',
    total_cost_usd: costUsd === null ? '' : costUsd.toFixed(4),
    denials: String(deniedCalls(report)),
    patch_file: patch === null || patch === '' ? '' : kept(patch, join(folder, 'changes.patch')),
  }
}

/** The outputs of a run without a first record; `reason` is null if it was killed. */
export function outputsWithoutRun(reason: ExitReason | null): ActionOutputs {
  const empty = Object.fromEntries(OUTPUTS.map((name) => [name, ''])) as ActionOutputs
  return { ...empty, ...endingOutputs(reason), denials: '0' }
}

function endingOutputs(reason: ExitReason | null): Pick<ActionOutputs, 'conclusion' | 'exit_code' | 'exit_reason'> {
  return {
    conclusion: reason !== null && EXIT_CODES[reason].code === 0 ? 'success' : 'failure',
    exit_code: reason === null ? '' : String(EXIT_CODES[reason].code),
    exit_reason: reason ?? '',
  }
}

function sized(text: string, file: string): string {
  return Buffer.byteLength(text) <= LARGEST_VALUE ? text : kept(text, file)
}

function kept(text: string, file: string): string {
  writeFileSync(file, text, { mode: 0o600 })
  return file
}
