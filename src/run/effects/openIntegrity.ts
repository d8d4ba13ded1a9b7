import { join } from 'node:path'
import type { FileChange, IntegrityEvent } from '../../contracts/events.ts'
import type { Call } from '../../contracts/subject.ts'
import { isWithin } from '../../lib/fs/isWithin.ts'
import { changesSince, takeSnapshot } from '../../sandbox/integrity/takeSnapshot.ts'
import { surveyWorkspaces } from '../../sandbox/mounts/surveyWorkspaces.ts'
import { type WatchOptions, watchedPlaces, writableFolders } from '../../sandbox/mounts/watchedPlaces.ts'
import type { Sandbox } from '../../sandbox/openSandbox.ts'

export type IntegrityOptions = WatchOptions & {
  readonly home: string
  /** What the paths of changes start from. */
  readonly top: string
  readonly commandFiles: readonly string[]
  /** The children's search path. */
  readonly path: string
  readonly sandbox: Pick<Sandbox, 'state' | 'network'>
}

/** What the run came to, as far as its end knows. */
export type RunEffects = {
  readonly changes: readonly FileChange[]
  /** Absolute paths that changed while no call did it. */
  readonly unaccounted: readonly string[]
  readonly processesLeft: number
}

/** Keeps account of who may have changed what. */
export type Integrity = {
  /** A call that is about to run. */
  note(call: Call): void
  /** Compares with the start. To be asked while the sandbox is still open, when no child runs any more. */
  report(effects: RunEffects): IntegrityEvent
}

/**
 * Watches what must not change, besides what the account of changes sees: places that git ignores, and what steers programs
 * outside of the checkout. A change there is accounted for where a call that ran names the file, or the account has it.
 */
export function openIntegrity(options: IntegrityOptions): Integrity {
  const { workspaces, commandFiles, sandbox } = options
  const listed = sandbox.state === 'enforced' ? [] : writableFolders(options.path, workspaces)
  const places = takeSnapshot(watchedPlaces(options), listed)
  const commands = takeSnapshot(commandFiles)
  const named = new Set<string>()

  const isNamed = (path: string) => [...named].some((place) => isWithin(path, place))
  return {
    note(call) {
      const paths = call.subjects.flatMap((subject) =>
        subject.kind === 'path' && subject.access === 'write' && subject.source !== 'operand' ? [subject.path] : [],
      )
      for (const { lexical, resolved } of paths) named.add(lexical).add(resolved)
    },
    report({ changes, unaccounted, processesLeft }) {
      for (const { path } of changes) named.add(join(options.top, path))
      const { repositories } = surveyWorkspaces(workspaces)
      const made = repositories.filter((folder) => !options.survey.repositories.includes(folder))
      const all = [...changesSince(places), ...unaccounted, ...made.map((folder) => join(folder, '.git'))]
      return {
        type: 'system',
        subtype: 'integrity',
        unaccounted_files: [...new Set(all)].filter((path) => !isNamed(path)).sort(),
        command_files_touched: changesSince(commands),
        processes_left: processesLeft,
        sandbox: sandbox.state,
        network: { mode: sandbox.network.mode, state: sandbox.network.state },
      }
    },
  }
}
