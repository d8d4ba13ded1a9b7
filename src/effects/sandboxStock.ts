import type { CommandRequest } from '../contracts/commands.ts'
import type { OpenTar } from '../sandbox/mounts/openTar.ts'
import type { WaitingSandbox } from '../sandbox/startWaiting.ts'
import { type CheckoutMode, READ_ONLY, type ViewFolders } from '../sandbox/views/checkoutMode.ts'
import { createView } from '../sandbox/views/createView.ts'
import { removeTree } from '../sandbox/views/removeTree.ts'
import type { CommandOrder } from './commandOrder.ts'

/** Where views are made, and the program to read them. */
export type ViewPlace = { readonly folder: string; readonly tar: OpenTar }

export type StockOptions = {
  /** Absolute and resolved, none within another: what commands may change, if they may. */
  readonly roots: readonly string[]
  /** Undefined where there are no views: changes are watched then. */
  readonly views: ViewPlace | undefined
  /** Starts a sandbox ahead of its command. Without it, every sandbox is started when its command is decided. */
  prepare?(like: CommandRequest, checkout: CheckoutMode): WaitingSandbox | undefined
  /** The number of sandboxes of each kind that wait for commands; 3 by default. */
  readonly readyCount?: number
  /** Folders in the checkout that commands write directly: `sandbox.writable`, and what background commands write. */
  readonly directFolders: () => readonly string[]
}

/** As many commands as a message usually has. */
const READY_COUNT = 3
/** After this time without a command, one more sandbox is started: one in which the run mostly waited, or the fifth. */
const QUIET_MS = 20
const MOST_WORK = 0.5
const LAST_DELAY = 5

/** The views of the checkout, and sandboxes that wait for the next commands. */
export function openSandboxStock(options: StockOptions, order: Pick<CommandOrder, 'isBusy' | 'isWriting'>) {
  const { roots, views: place, directFolders, prepare = () => undefined, readyCount = READY_COUNT } = options
  const removing = new Set<Promise<void>>()
  let quiet: NodeJS.Timeout | undefined

  const remove = (view: ViewFolders) => {
    const removal = removeTree(view.folder)
    removing.add(removal)
    void removal.finally(() => removing.delete(removal))
  }
  const modeOf = (view: ViewFolders, { effects }: Pick<CommandRequest, 'effects'>) =>
    ({ kind: 'view', ...view, direct: directFolders(), home: effects?.home }) as const
  const readers = keepReady({
    make: (like) => prepare(like, READ_ONLY),
    fits: (waiting, request) => waiting.fits(request, READ_ONLY),
    drop: (waiting) => waiting.end(),
  })
  const writers = keepReady({
    make(like) {
      // While a command may change the checkout, nothing mounts it for the next one.
      if (place === undefined || order.isWriting()) return undefined
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
  const prepareMore = (like: CommandRequest, delays = 1) => {
    clearTimeout(quiet)
    const before = performance.eventLoopUtilization()
    quiet = setTimeout(() => {
      if (order.isBusy()) return
      const { utilization } = performance.eventLoopUtilization(before)
      // Other calls are at work, or the next request is on its way: that comes first.
      if (utilization > MOST_WORK && delays < LAST_DELAY) return prepareMore(like, delays + 1)
      if (readers.prepareMore(like, readyCount) || writers.prepareMore(like, readyCount)) prepareMore(like)
    }, QUIET_MS)
    quiet.unref()
  }
  return {
    /** A sandbox for a command that only reads, if one waits. */
    reader: (request: CommandRequest): WaitingSandbox | undefined => readers.take(request),
    /** A view, and its sandbox if one waits. Give the view back to `remove`. */
    writer(request: CommandRequest, { folder }: ViewPlace) {
      const taken = writers.take(request)
      const view = taken?.view ?? createView(folder, roots)
      return { view, mode: modeOf(view, request), waiting: taken?.waiting }
    },
    remove,
    /** After a command: one for the next command of the same message at once; more, one by one, while the model thinks. */
    refill(like: CommandRequest): void {
      if (like.input !== undefined || like.effects?.home !== undefined) return
      setImmediate(() => {
        readers.prepareFirst(like)
        writers.prepareFirst(like)
      })
      prepareMore(like)
    },
    /** Settles when no sandbox waits and all views are removed. */
    async close(): Promise<void> {
      clearTimeout(quiet)
      await Promise.all([readers.close(), writers.close()])
      place?.tar.close()
      await Promise.all(removing)
    },
  }
}

export type KeepReadyOptions<T> = {
  /** Makes one for a command like the last one; undefined where that is not possible. */
  make(like: CommandRequest): T | undefined
  /** True if the same would be made for this command now. */
  fits(ready: T, request: CommandRequest): boolean
  /** Removes one that no command got. */
  drop(ready: T): Promise<void>
}

/** Keeps a few things ready that take time to make, for the next commands. */
export function keepReady<T>(options: KeepReadyOptions<T>) {
  let ready: readonly T[] = []
  let isClosed = false
  let triedSince = 0
  const dropping = new Set<Promise<unknown>>()

  const dropAll = (old: readonly T[]) => {
    ready = ready.filter((each) => !old.includes(each))
    for (const each of old) {
      const dropped = options.drop(each).catch(() => undefined)
      dropping.add(dropped)
      void dropped.finally(() => dropping.delete(dropped))
    }
  }
  /** What cannot be made now is made when it is needed. */
  const make = (like: CommandRequest): boolean => {
    try {
      const made = options.make(like)
      if (made !== undefined) ready = [...ready, made]
      return made !== undefined
    } catch {
      // The command itself will say why.
      return false
    }
  }
  return {
    /** The oldest that fits. Those before it are dropped. */
    take(request: CommandRequest): T | undefined {
      const fitting = ready.findIndex((each) => options.fits(each, request))
      dropAll(fitting === -1 ? ready : ready.slice(0, fitting))
      const [taken] = ready
      ready = ready.slice(1)
      return taken
    },
    /** After each command: makes one if there is none. */
    prepareFirst(like: CommandRequest): void {
      triedSince = 0
      if (!isClosed && ready.length === 0) make(like)
    },
    /**
     * Makes one, unless there are `count` for a command like this. Drops others. Returns whether one was made: not more
     * than `count` times after one command, even if they die at once.
     */
    prepareMore(like: CommandRequest, count: number): boolean {
      if (isClosed) return false
      dropAll(ready.filter((each) => !options.fits(each, like)))
      return ready.length < count && triedSince++ < count && make(like)
    },
    async close(): Promise<void> {
      isClosed = true
      dropAll(ready)
      await Promise.all(dropping)
    },
  }
}
