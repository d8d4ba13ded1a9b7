import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { CapturedStream, CommandRequest, CommandResult } from '../contracts/commands.ts'
import type { CommandEffects, EffectsReport } from '../contracts/effects.ts'
import { messageOf } from '../contracts/errors.ts'
import type { OpenTar } from '../sandbox/mounts/openTar.ts'
import { DIRECT, READ_ONLY, type ViewFolders } from '../sandbox/views/checkoutMode.ts'
import { copyOwnership, createView } from '../sandbox/views/createView.ts'
import { removeTree } from '../sandbox/views/removeTree.ts'
import { keepReady } from './keepReady.ts'
import type { PrepareCommand, StartCommand, WatchCheckout, Watched } from './parts.ts'
import { type ApplyViewOptions, applyView, NOTHING_CHANGED } from './view/applyView.ts'
import { withRenameNote } from './withRenameNote.ts'

export type EffectsOptions = ApplyViewOptions & {
  /** Absolute and resolved, none within another: what commands may change, if they may. */
  readonly roots: readonly string[]
  /** Where views are made, and the program to read them; undefined where there are none: changes are watched then. */
  readonly views: ViewPlace | undefined
  /** True where a command that may only read cannot write the checkout. */
  readonly isReadOnlyEnforced: boolean
  readonly start: StartCommand
  /** Without it, every sandbox is started when its command is decided. */
  readonly prepare?: PrepareCommand
  /** The number of sandboxes of each kind that wait for commands; 3 by default. */
  readonly readyCount?: number
  readonly watch: WatchCheckout
  /** Folders in the checkout that commands write directly: `sandbox.writable`, and what background commands write. */
  readonly directFolders: () => readonly string[]
}

export interface Effects {
  /**
   * Runs a command and settles its changes. `read` commands run side by side, all others one after the other, in the
   * order of the calls. Does not throw.
   */
  run(request: CommandRequest): Promise<CommandResult>
  /**
   * Starts a command that outlives its call. It works on the checkout itself and is watched until it ends. `name` is
   * its name in reports.
   */
  watch<T>(name: string, effects: CommandEffects, launch: () => Promise<T>): Promise<T>
  /** What watched programs changed since the last look, and what was put back; empty if nothing is watched. */
  look(): Promise<EffectsReport[]>
  /** Settles when all commands have been settled and all views are removed. */
  close(): Promise<void>
}

type ViewPlace = { readonly folder: string; readonly tar: OpenTar }

const READ: CommandEffects = { access: 'read', mayChangeGit: false, by: '' }

/** As many commands as a message usually has. */
const READY_COUNT = 3
/** After this time without a command, one more sandbox is started. */
const QUIET_MS = 20

/** The only way for commands to change the checkout. */
export function openEffects(options: EffectsOptions): Effects {
  const { roots, views: place, start, directFolders, prepare = () => undefined, readyCount = READY_COUNT } = options
  const readers = keepReady({
    make: (like) => prepare(like, READ_ONLY),
    fits: (waiting, request) => waiting.fits(request, READ_ONLY),
    drop: (waiting) => waiting.end(),
  })
  const modeOf = (view: ViewFolders, { effects }: Pick<CommandRequest, 'effects'>) =>
    ({ kind: 'view', ...view, direct: directFolders(), home: effects?.home }) as const
  const writers = keepReady({
    make(like) {
      // While a command may change the checkout, nothing mounts it for the next one.
      if (place === undefined || writing > 0) return undefined
      place.tar.start()
      const view = createView(place.folder, roots)
      const waiting = prepare(like, modeOf(view, like))
      if (waiting === undefined) remove(view)
      return waiting && { view, waiting }
    },
    fits: ({ view, waiting }, request) => waiting.fits(request, modeOf(view, request)),
    async drop({ view, waiting }) {
      await waiting.end()
      await removeTree(view.folder)
    },
  })
  const removing = new Set<Promise<void>>()
  let last: Promise<unknown> = Promise.resolve()
  let running = 0
  let writing = 0

  const remove = (view: ViewFolders) => {
    const removal = removeTree(view.folder)
    removing.add(removal)
    void removal.finally(() => removing.delete(removal))
  }
  let quiet: NodeJS.Timeout | undefined
  /** One for the next command of the same message at once. The others while the model thinks, one after the other. */
  const prepareNext = (like: CommandRequest) => {
    if (like.input !== undefined || like.effects?.home !== undefined) return
    setImmediate(() => {
      readers.prepareFirst(like)
      writers.prepareFirst(like)
    })
    prepareMore(like)
  }
  const prepareMore = (like: CommandRequest) => {
    clearTimeout(quiet)
    quiet = setTimeout(() => {
      if (running > 0) return
      if (readers.prepareMore(like, readyCount) || writers.prepareMore(like, readyCount)) prepareMore(like)
    }, QUIET_MS)
    quiet.unref()
  }
  const watching = new Map<string, Watched>()
  const ended: EffectsReport[] = []
  const outliving = new Set<Promise<unknown>>()
  const watch = async <T>(name: string, effects: CommandEffects, launch: () => Promise<T>): Promise<T> => {
    const watched = await oneAtATime(() => options.watch(effects))
    watching.set(name, watched)
    try {
      return await launch()
    } finally {
      watching.delete(name)
      ended.push({ ...(await oneAtATime(() => watched.settle())), of: name })
    }
  }
  const oneAtATime = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work)
    last = turn.catch(() => undefined)
    return turn
  }
  const runReading = (request: CommandRequest) => start(request, READ_ONLY, readers.take(request))
  const runInView = async (request: CommandRequest, effects: CommandEffects, { folder, tar }: ViewPlace) => {
    const { view, waiting } = writers.take(request) ?? { view: createView(folder, roots) }
    try {
      if (waiting === undefined) view.layers.forEach(copyOwnership)
      const result = await start(request, modeOf(view, request), waiting)
      if (result.startError !== undefined) return result
      if (!existsSync(join(view.folder, 'init'))) return withoutView(result)
      return { ...withRenameNote(result), effects: await applyView({ ...view, tar }, effects, options) }
    } finally {
      remove(view)
    }
  }
  const runWatched = async (request: CommandRequest, effects: CommandEffects) => {
    const watched = await options.watch(effects)
    const result = await start(request, { ...DIRECT, home: effects.home })
    return { ...result, effects: await watched.settle() }
  }
  const runWriting = async (request: CommandRequest, effects: CommandEffects) => {
    writing++
    try {
      return await oneAtATime(() =>
        effects.access === 'direct' || place === undefined
          ? runWatched(request, effects)
          : runInView(request, effects, place),
      )
    } finally {
      writing--
    }
  }
  const run = async (request: CommandRequest): Promise<CommandResult> => {
    const effects = request.effects ?? READ
    const isReading = effects.access === 'read' && options.isReadOnlyEnforced
    running++
    try {
      return await (isReading ? runReading(request) : runWriting(request, effects))
    } finally {
      running--
      prepareNext(request)
    }
  }
  return {
    watch(name, effects, launch) {
      const outlived = watch(name, effects, launch)
      outliving.add(outlived)
      void outlived.catch(() => undefined).finally(() => outliving.delete(outlived))
      return outlived
    },
    async look() {
      const looks = [...watching].map(async ([name, watched]) => ({
        ...(await oneAtATime(() => watched.look())),
        of: name,
      }))
      return [...ended.splice(0), ...(await Promise.all(looks))].filter(hasChanges)
    },
    run: (request) => run(request).catch((error: unknown) => notStarted(request, messageOf(error))),
    async close() {
      await Promise.allSettled(outliving)
      await last
      clearTimeout(quiet)
      await Promise.all([readers.close(), writers.close()])
      place?.tar.close()
      await Promise.all(removing)
    },
  }
}

function hasChanges({ kept, leftOut, undone, unknown }: EffectsReport): boolean {
  return kept.length + leftOut.length + undone.length > 0 || unknown !== undefined
}

const NOTHING: CapturedStream = { text: '', bytes: 0, isTruncated: false }

function notStarted({ timeoutMs }: CommandRequest, startError: string): CommandResult {
  const end = { exitCode: null, signal: null, isTimedOut: false, isAborted: false, durationMs: 0 }
  return { ...end, timeoutMs, stdout: NOTHING, stderr: NOTHING, startError }
}

/** An abort may come before the view exists. */
function withoutView(result: CommandResult): CommandResult {
  if (result.isAborted || result.isTimedOut) return { ...result, effects: NOTHING_CHANGED }
  const said = `${result.stdout.text}${result.stderr.text}`.trim()
  return { ...result, startError: `the view of the checkout could not be created: ${said}` }
}
