import { basename, join } from 'node:path'
import type { PathChange } from '../../contracts/effects.ts'
import { messageOf } from '../../contracts/errors.ts'
import { someOf } from '../../lib/text/words.ts'
import { removeJournal, writeJournal } from './journal.ts'
import type { ChangedEntry } from './readUpper.ts'
import { firstConflict, runSteps, type Undo, undoSteps } from './runSteps.ts'
import { type TakeOverOrder, takeOverSteps, type Verdicts } from './takeOverSteps.ts'

export type TakeOverOptions = {
  /** Where journals are; outside of the checkout's views. */
  readonly state: string
  /** The folder of the view. */
  readonly view: string
  readonly by: string
  readonly order: TakeOverOrder
}

/**
 * The result: `done`; `refused` before anything was done; `undone` if a step failed and all of it was put back; or
 * `unknown`, if that failed, too. `why` is for people.
 */
export type TakenOver =
  | { readonly state: 'done' }
  | { readonly state: 'refused' | 'undone'; readonly path: string; readonly why: string }
  | { readonly state: 'unknown'; readonly why: string }

/**
 * Brings changes that were judged `covered` or `scratch` from a view into the checkout. After a kill at any instant,
 * the checkout is unchanged, complete, or has a journal of the remaining steps. A single step is atomic and needs no
 * journal. Never throws.
 */
export async function takeOver(
  roots: readonly ChangedEntry[],
  changes: readonly PathChange[],
  verdictOf: Verdicts,
  options: TakeOverOptions,
): Promise<TakenOver> {
  const steps = roots.flatMap((root) => takeOverSteps(root, verdictOf, options.order))
  const [first] = steps
  if (first === undefined) return { state: 'done' }
  const conflict = firstConflict(steps)
  if (conflict !== undefined) return { state: 'refused', path: conflict, why: 'something else changed it meanwhile' }
  let journal: string | undefined
  try {
    const { view, by } = options
    journal = steps.length > 1 ? writeJournal(options.state, basename(view), { view, by, changes, steps }) : undefined
  } catch (error) {
    return { state: 'refused', path: first.path, why: `the take-over cannot be recorded (${messageOf(error)})` }
  }
  const undo: Undo[] = []
  let done = 0
  const onStep = (index: number) => {
    done = index
  }
  try {
    await runSteps(steps, { trash: join(options.view, 'trash'), undo, onStep })
    return { state: 'done' }
  } catch (error) {
    const left = undoSteps(undo)
    const path = steps[done]?.path ?? first.path
    if (left.length === 0) return { state: 'undone', path, why: `it could not be taken over (${messageOf(error)})` }
    return {
      state: 'unknown',
      why: `${messageOf(error)}; these stay as the command left them: ${someOf(left, MAX_NAMES)}`,
    }
  } finally {
    // A failed take-over is reported now. Finishing it later could undo changes made in between.
    if (journal !== undefined) removeJournal(journal)
  }
}

const MAX_NAMES = 20
