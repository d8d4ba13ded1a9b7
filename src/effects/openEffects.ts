import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { CapturedStream, CommandRequest, CommandResult } from '../contracts/commands.ts'
import type { CommandEffects, EffectsReport } from '../contracts/effects.ts'
import { messageOf } from '../contracts/errors.ts'
import { DIRECT, READ_ONLY } from '../sandbox/views/checkoutMode.ts'
import { likeLower } from '../sandbox/views/createView.ts'
import { keepReady } from './keepReady.ts'
import type { PrepareCommand, StartCommand, WatchCheckout, Watched } from './parts.ts'
import { applyView, NOTHING_CHANGED, type SettleOptions } from './view/applyView.ts'
import { makeView, type OpenView, removeView, type ViewPlace } from './view/makeView.ts'
import { withRenameNote } from './withRenameNote.ts'

export type EffectsOptions = SettleOptions & {
  /** Absolute and resolved, none within another: what commands may change, if they may. */
  readonly roots: readonly string[]
  /** Where views are made and read with; undefined where there are none: changes are watched then. */
  readonly views: ViewPlace | undefined
  /** True where a command that may only read cannot write the checkout. */
  readonly isReadOnlyEnforced: boolean
  readonly start: StartCommand
  /** Without it, every sandbox is started when its command is decided. */
  readonly prepare?: PrepareCommand
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

const READ: CommandEffects = { access: 'read', mayChangeGit: false, by: '' }

/** The only way for commands to change the checkout. */
export function openEffects(options: EffectsOptions): Effects {
  const { roots, views, start, directFolders, prepare = () => undefined } = options
  const readers = keepReady({
    make: (like) => prepare(like, READ_ONLY),
    fits: (waiting, request) => waiting.fits(request, READ_ONLY),
    drop: (waiting) => waiting.end(),
  })
  const modeOf = (view: OpenView) => ({ kind: 'view', ...view.folders, direct: directFolders() }) as const
  const writers = keepReady({
    make(like) {
      if (views === undefined) return undefined
      const view = makeView(views, roots)
      // While a command may change the checkout, nothing mounts it for the next one.
      return { view, waiting: writing === 0 ? prepare(like, modeOf(view)) : undefined }
    },
    fits: ({ view, waiting }, request) => (waiting === undefined ? writing > 0 : waiting.fits(request, modeOf(view))),
    async drop({ view, waiting }) {
      await waiting?.end()
      await removeView(view)
    },
  })
  const removing = new Set<Promise<void>>()
  let last: Promise<unknown> = Promise.resolve()
  let writing = 0

  const remove = (view: OpenView) => {
    const removal = removeView(view)
    removing.add(removal)
    void removal.finally(() => removing.delete(removal))
  }
  /** While the model thinks, or the next command of the same message runs. */
  const prepareNext = (like: CommandRequest) => {
    if (like.input !== undefined) return
    setImmediate(() => {
      readers.prepare(like)
      writers.prepare(like)
    })
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
  const runInView = async (request: CommandRequest, effects: CommandEffects, place: ViewPlace) => {
    const { view, waiting } = writers.take(request) ?? { view: makeView(place, roots) }
    try {
      if (waiting === undefined) view.folders.layers.forEach(likeLower)
      const result = await start(request, modeOf(view), waiting)
      if (result.startError !== undefined) return result
      if (!existsSync(join(view.folders.folder, 'init'))) return withoutView(result)
      return { ...withRenameNote(result), effects: await applyView(view, effects, options) }
    } finally {
      remove(view)
    }
  }
  const runWatched = async (request: CommandRequest, effects: CommandEffects) => {
    const watched = await options.watch(effects)
    const result = await start(request, DIRECT)
    return { ...result, effects: await watched.settle() }
  }
  const runWriting = async (request: CommandRequest, effects: CommandEffects) => {
    writing++
    try {
      return await oneAtATime(() =>
        effects.access === 'direct' || views === undefined
          ? runWatched(request, effects)
          : runInView(request, effects, views),
      )
    } finally {
      writing--
    }
  }
  const run = async (request: CommandRequest): Promise<CommandResult> => {
    const effects = request.effects ?? READ
    const isReading = effects.access === 'read' && options.isReadOnlyEnforced
    try {
      return await (isReading ? runReading(request) : runWriting(request, effects))
    } finally {
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
      await Promise.all([readers.close(), writers.close()])
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
