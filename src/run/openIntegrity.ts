import { join } from 'node:path'
import type { FileChange, IntegrityEvent } from '../contracts/events.ts'
import type { Call, Subject } from '../contracts/subject.ts'
import { isWithin } from '../lib/isWithin.ts'
import { protectionsOf } from '../policy/protectedPaths.ts'
import type { Sandbox } from '../sandbox/openSandbox.ts'
import { surveyWorkspaces } from '../sandbox/surveyWorkspaces.ts'
import { changesSince, takeSnapshot } from '../sandbox/takeSnapshot.ts'
import { type WatchOptions, watchedPlaces, writableFolders } from '../sandbox/watchedPlaces.ts'

export type IntegrityOptions = WatchOptions & {
  readonly home: string
  /** What the paths of changes start from. */
  readonly top: string
  readonly commandFiles: readonly string[]
  /** The children's search path. */
  readonly path: string
  readonly sandbox: Pick<Sandbox, 'state' | 'network'>
  /** Commands that run without a call: hooks, checks, servers. */
  readonly hasOwnCommands: boolean
}

/** What the run came to, as far as its end knows. */
export type RunEffects = { readonly changes: readonly FileChange[]; readonly processesLeft: number }

/** Keeps account of who may have changed what. */
export type Integrity = {
  /** A call that is about to run. */
  note(call: Call): void
  /** Compares with the start. To be asked while the sandbox is still open, when no child runs any more. */
  report(effects: RunEffects): IntegrityEvent
}

/**
 * Watches what must not change. A change is accounted for where a call that ran names the file. Commands and servers
 * change the workspace without naming files, so there only protected places count once one of them has run; outside the
 * workspace and in protected places every change counts.
 */
export function openIntegrity(options: IntegrityOptions): Integrity {
  const { workspaces, commandFiles, sandbox } = options
  const listed = sandbox.state === 'enforced' ? [] : writableFolders(options.path, workspaces)
  const places = takeSnapshot(watchedPlaces(options), listed)
  const commands = takeSnapshot(commandFiles)
  const named = new Set<string>()
  let isOpen = options.hasOwnCommands

  const isNamed = (path: string) => [...named].some((place) => isWithin(path, place))
  const isProtected = (path: string) => protectionsOf(path, 'write', options.home).length > 0 && !options.isOpened(path)
  return {
    note(call) {
      const paths = call.subjects.flatMap((subject) =>
        subject.kind === 'path' && subject.access === 'write' && subject.source !== 'operand' ? [subject.path] : [],
      )
      for (const { lexical, resolved } of paths) named.add(lexical).add(resolved)
      isOpen ||= !call.isReadOnly && !call.isFree && call.subjects.some(isOpenEnded)
    },
    report({ changes, processesLeft }) {
      const files = changes.map(({ path }) => join(options.top, path)).filter((path) => !isOpen || isProtected(path))
      const { repositories } = surveyWorkspaces(workspaces)
      const made = repositories.filter((folder) => !options.survey.repositories.includes(folder))
      const all = [...changesSince(places), ...files, ...made.map((folder) => join(folder, '.git'))]
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

/** A command, a server's tool: it may change files that it does not name. What an agent or a skill does is calls again. */
function isOpenEnded(subject: Subject): boolean {
  if (subject.kind === 'path') return false
  return subject.kind !== 'name' || subject.specifier === undefined
}
