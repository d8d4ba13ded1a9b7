import { join } from 'node:path'
import type { FileChange, IntegrityEvent } from '../../contracts/events.ts'
import type { Call } from '../../contracts/subject.ts'
import { isWithin } from '../../lib/fs/isWithin.ts'
import { changesSince, isFolderSince, takeSnapshot } from '../../sandbox/integrity/takeSnapshot.ts'
import { surveyWorkspaces } from '../../sandbox/mounts/surveyWorkspaces.ts'
import { type WatchOptions, watchedPlaces, writableFolders } from '../../sandbox/mounts/watchedPlaces.ts'
import type { Sandbox } from '../../sandbox/openSandbox.ts'

export type IntegrityOptions = WatchOptions & {
  readonly home: string
  readonly top: string
  readonly commandFiles: readonly string[]
  readonly path: string
  readonly sandbox: Pick<Sandbox, 'state' | 'network'>
}

/** The effects of the run, as far as known at its end. */
export type RunEffects = {
  readonly changes: readonly FileChange[]
  /** Absolute paths that changed without a call that did it. */
  readonly unaccounted: readonly string[]
  readonly processesLeft: number
}

/** A list for web servers that `git gc` writes. A commit starts it in the background, and it may still work in a run. */
const LIST_OF_REFS = /\/\.git\/(?:modules\/(?:(?!refs\/)[^/]+\/)+)?info\/refs$/

export type Integrity = ReturnType<typeof openIntegrity>

/**
 * Watches what must not change and what the account of changes does not see: places that git ignores, and files that
 * steer programs outside the checkout. A change there is accounted for if a call named the file, or if the account has
 * it.
 */
export function openIntegrity(options: IntegrityOptions) {
  const { workspaces, commandFiles, sandbox } = options
  const listed = sandbox.state === 'enforced' ? [] : writableFolders(options.path, workspaces)
  const places = takeSnapshot(watchedPlaces(options), listed)
  const commands = takeSnapshot(commandFiles)
  const named = new Set<string>()

  const isNamed = (path: string) => [...named].some((place) => isWithin(path, place))
  // A file brings its folder along. What else is in that is compared for itself.
  const holdsNamed = (path: string) => isFolderSince(places, path) && [...named].some((place) => isWithin(place, path))
  return {
    note(call: Call) {
      const paths = call.subjects.flatMap((subject) =>
        subject.kind === 'path' && subject.access === 'write' && subject.source !== 'operand' ? [subject.path] : [],
      )
      for (const { lexical, resolved } of paths) named.add(lexical).add(resolved)
    },
    /** Compares with the start. Call it when no child is running, but the sandbox is still open. */
    report({ changes, unaccounted, processesLeft }: RunEffects): IntegrityEvent {
      for (const { path } of changes) named.add(join(options.top, path))
      const { repositories } = surveyWorkspaces(workspaces)
      const made = repositories.filter((folder) => !options.survey.repositories.includes(folder))
      const watched = changesSince(places).filter((path) => !holdsNamed(path))
      const all = [...watched, ...unaccounted, ...made.map((folder) => join(folder, '.git'))]
      return {
        type: 'system',
        subtype: 'integrity',
        unaccounted_files: [...new Set(all)].filter((path) => !isNamed(path) && !LIST_OF_REFS.test(path)).sort(),
        command_files_touched: changesSince(commands),
        processes_left: processesLeft,
        sandbox: sandbox.state,
        network: { mode: sandbox.network.mode, state: sandbox.network.state },
      }
    },
  }
}
