import { dirname } from 'node:path'
import type { ChangeVerdict, PathChange } from '../../contracts/effects.ts'

/**
 * A folder that was made or removed with its content shares the fate of the content, unless a rule forbids it. Changes
 * the verdicts of such folders in place. A removed folder stays if something in it stays.
 */
export function foldersWithContent(verdicts: Map<PathChange, ChangeVerdict>): void {
  const holding = { covered: new Set<string>(), scratch: new Set<string>() }
  const staying = new Set<string>()
  for (const [{ path, entry, kind: change }, { kind }] of verdicts) {
    if (entry === 'folder') continue
    if (change === 'deleted' && kind === 'skipped') addFoldersAbove(path, staying)
    if (kind === 'covered' || kind === 'scratch') addFoldersAbove(path, holding[kind])
  }
  for (const [change, verdict] of verdicts) {
    if (change.entry !== 'folder' || change.kind === 'mode') continue
    if (change.kind === 'deleted' && staying.has(change.path) && !('why' in verdict)) {
      verdicts.set(change, { kind: 'skipped' })
      continue
    }
    const isOpen = verdict.kind === 'skipped' || (verdict.kind === 'refused' && verdict.rule === undefined)
    if (!isOpen) continue
    if (holding.covered.has(change.path)) verdicts.set(change, { kind: 'covered' })
    else if (holding.scratch.has(change.path)) verdicts.set(change, { kind: 'scratch' })
  }
}

function addFoldersAbove(path: string, folders: Set<string>): void {
  for (let at = dirname(path); !folders.has(at) && at !== dirname(at); at = dirname(at)) folders.add(at)
}
