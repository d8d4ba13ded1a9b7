import type { RunSettings } from '../../contracts/settings.ts'
import { parseDuration } from '../../lib/text/duration.ts'
import type { PolicyInput } from './policySchema.ts'

/** Numbers: the smallest value of all files wins. */
const LIMITS = [
  'maxTurns',
  'maxBudgetUsd',
  'maxToolCalls',
  'maxDenials',
  'maxTokensTotal',
  'maxTokens',
  'contextWindow',
  'maxResultCharacters',
] as const

/** Durations in the file, and their names in milliseconds: the shortest wins. */
export const DURATIONS = {
  timeout: 'timeoutMs',
  maxRetryWait: 'maxRetryWaitMs',
  bashTimeout: 'bashTimeoutMs',
  bashMaxTimeout: 'bashMaxTimeoutMs',
  backgroundWait: 'backgroundWaitMs',
  apiKeyHelperTtl: 'apiKeyHelperTtlMs',
} as const

/**
 * Merges the `run:` sections of all files, the extending one first. Strict switches stay on once a file turns them on.
 */
export function mergeRun(runs: readonly NonNullable<PolicyInput['run']>[]): RunSettings {
  const merged: Record<string, unknown> = {}
  for (const run of runs.toReversed()) {
    for (const [key, value] of Object.entries(run)) {
      if (!(key in DURATIONS)) merged[key] = key === 'fallbackModel' ? [value].flat() : value
    }
  }
  for (const key of LIMITS)
    setSmallest(
      merged,
      key,
      runs.map((run) => run[key]),
    )
  for (const [key, name] of Object.entries(DURATIONS)) {
    const values = runs.map((run) => run[key as keyof typeof DURATIONS])
    setSmallest(merged, name, values.map(toMilliseconds))
  }
  for (const key of ['requireFinish', 'failOnDenied'] as const) if (runs.some((run) => run[key])) merged[key] = true
  for (const key of ['params', 'answers', 'modelIds'] as const) {
    const maps = runs
      .toReversed()
      .map((run) => run[key])
      .filter((map) => map !== undefined)
    if (maps.length > 0) merged[key] = Object.assign({}, ...maps)
  }
  const ledgers = runs.flatMap((run) => run.ledger ?? [])
  if (ledgers.length > 0) {
    const folders = [...new Set(ledgers.flatMap(({ folder }) => folder ?? []))]
    merged['ledger'] = { folders, limits: ledgers.flatMap(({ limits }) => limits ?? []) }
  }
  return merged satisfies RunSettings
}

function setSmallest(merged: Record<string, unknown>, key: string, values: readonly (number | undefined)[]): void {
  const given = values.filter((value) => value !== undefined)
  if (given.length > 0) merged[key] = Math.min(...given)
}

function toMilliseconds(duration: string | undefined): number | undefined {
  return duration === undefined ? undefined : parseDuration(duration)
}
