import { resolve } from 'node:path'
import type { EffectsEvent } from '../../contracts/events.ts'
import { displayPath } from '../../lib/fs/paths.ts'
import { changesOf } from './askedCalls.ts'
import type { CallReport, RecordedChanges } from './runReport.ts'

type Run = {
  readonly calls: readonly CallReport[]
  readonly effects: readonly EffectsEvent[]
  /** The project root; null if the record does not say. */
  readonly cwd: string | null
}

/** What the calls of a run without an end record changed, as far as it was recorded. Pure. */
export function recordedChanges({ calls, effects, cwd }: Run): RecordedChanges {
  const files = new Map<string, Set<string>>()
  const add = (path: string, id: string) => files.set(path, (files.get(path) ?? new Set()).add(id))
  for (const effect of effects) {
    for (const { path, isKept } of changesOf(effect)) if (isKept) add(path, effect.tool_use_id)
  }
  const writers = calls.filter(({ isReadOnly }) => isReadOnly === false)
  for (const { path, outcome, id } of writers) {
    if (path !== null && outcome === 'ok') add(cwd === null ? path : displayPath(resolve(cwd, path), cwd), id)
  }
  return {
    files: [...files].map(([path, by]) => ({ path, by: [...by] })).toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    open: writers.flatMap(({ id, outcome }) => (outcome === 'unknown' ? [id] : [])),
  }
}
