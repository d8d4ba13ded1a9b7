import type { CapturedStream, CommandRequest, CommandResult } from '../contracts/commands.ts'
import type { CommandEffects, EffectsReport } from '../contracts/effects.ts'
import { messageOf } from '../contracts/errors.ts'
import type { WaitingSandbox } from '../sandbox/startWaiting.ts'
import { type CheckoutMode, DIRECT, READ_ONLY } from '../sandbox/views/checkoutMode.ts'
import { firstProcess } from '../sandbox/views/waitForViewEnd.ts'
import { type CommandOrder, createCommandOrder } from './commandOrder.ts'
import { openSandboxStock, type StockOptions, type ViewPlace } from './sandboxStock.ts'
import { type ApplyViewOptions, applyView, NOTHING_CHANGED } from './view/applyView.ts'
import type { CheckoutWatch, Watched } from './watch/openCheckoutWatch.ts'

export type EffectsOptions = ApplyViewOptions &
  StockOptions & {
    /** True where a command that may only read cannot write the checkout. */
    readonly isReadOnlyEnforced: boolean
    /** Runs a command on a mode of the checkout, in a sandbox that waits for it if there is one. Does not throw. */
    start(request: CommandRequest, checkout: CheckoutMode, waiting?: WaitingSandbox): Promise<CommandResult>
    /** Told after each command in a view whether the view stood, or what went wrong. */
    readonly confirmView?: (problem?: string) => void
    readonly watch: CheckoutWatch['watch']
  }

export type Effects = ReturnType<typeof openEffects>

const READ: CommandEffects = { access: 'read', mayChangeGit: false, by: '' }

/** The only way for commands to change the checkout. */
export function openEffects(options: EffectsOptions) {
  const { views: place, start } = options
  const order = createCommandOrder()
  const stock = openSandboxStock(options, order)
  const programs = openWatchedPrograms(options.watch, order)

  const runInView = async (request: CommandRequest, effects: CommandEffects, views: ViewPlace) => {
    const { view, mode, waiting } = stock.writer(request, views)
    try {
      const started = await start(request, mode, waiting)
      const stands = started.startError === undefined && firstProcess(view.folder) !== undefined
      const result = stands || started.startError !== undefined ? started : withoutView(started)
      if (stands || result.startError !== undefined) options.confirmView?.(result.startError)
      if (!stands) return result
      return { ...withRenameNote(result), effects: await applyView({ ...view, tar: views.tar }, effects, options) }
    } finally {
      stock.remove(view)
    }
  }
  const runWatched = async (request: CommandRequest, effects: CommandEffects) => {
    const watched = await options.watch(effects)
    const result = await start(request, { ...DIRECT, home: effects.home })
    return { ...result, effects: await watched.settle() }
  }
  const run = (request: CommandRequest): Promise<CommandResult> => {
    const effects = request.effects ?? READ
    if (effects.access === 'read' && options.isReadOnlyEnforced) {
      return order.read(() => start(request, READ_ONLY, stock.reader(request)))
    }
    return order.write(() =>
      effects.access === 'direct' || place === undefined
        ? runWatched(request, effects)
        : runInView(request, effects, place),
    )
  }
  return {
    /**
     * Runs a command and settles its changes. `read` commands run side by side, all others one after the other, in the
     * order of the calls. Does not throw.
     */
    run: (request: CommandRequest) =>
      run(request)
        .finally(() => stock.refill(request))
        .catch((error: unknown) => notStarted(request, messageOf(error))),
    ...{ watch: programs.watch, look: programs.look },
    /** Settles when all commands have been settled and all views are removed. */
    async close() {
      await programs.ended()
      await order.done()
      await stock.close()
    },
  }
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

/** Programs that outlive their calls. They work on the checkout itself, which is compared after each call. */
function openWatchedPrograms(watchCheckout: CheckoutWatch['watch'], { inTurn }: Pick<CommandOrder, 'inTurn'>) {
  const watching = new Map<string, Watched>()
  const ended: EffectsReport[] = []
  const outliving = new Set<Promise<unknown>>()
  const watch = async <T>(name: string, effects: CommandEffects, launch: () => Promise<T>): Promise<T> => {
    const watched = await inTurn(() => watchCheckout(effects))
    watching.set(name, watched)
    try {
      return await launch()
    } finally {
      watching.delete(name)
      ended.push({ ...(await inTurn(() => watched.settle())), of: name })
    }
  }
  return {
    /** Starts a command that outlives its call, and is watched until it ends. `name` is its name in reports. */
    watch<T>(name: string, effects: CommandEffects, launch: () => Promise<T>): Promise<T> {
      const outlived = watch(name, effects, launch)
      outliving.add(outlived)
      void outlived.catch(() => undefined).finally(() => outliving.delete(outlived))
      return outlived
    },
    /** What watched programs changed since the last look, and what was put back; empty if nothing is watched. */
    async look(): Promise<EffectsReport[]> {
      const looks = [...watching].map(async ([name, watched]) => ({
        ...(await inTurn(() => watched.look())),
        of: name,
      }))
      return [...ended.splice(0), ...(await Promise.all(looks))].filter(hasChanges)
    },
    /** Settles when all have ended. */
    ended: () => Promise.allSettled(outliving),
  }
}

function hasChanges({ kept, leftOut, undone, unknown }: EffectsReport): boolean {
  return kept.length + leftOut.length + undone.length > 0 || unknown !== undefined
}

const NOTE =
  'kode-run: a folder of the project cannot be renamed in one step here. Use `mv OLD NEW`, which copies it; then run `git add -A`.'

/**
 * A helpful line if a program could not rename a folder. Overlayfs returns EXDEV for a folder that existed before the
 * command, and unlike `mv`, `git mv` does not fall back to copying. The last program of a line may still have
 * succeeded, so the exit code does not matter.
 */
export function withRenameNote(result: CommandResult): CommandResult {
  const { stdout, stderr } = result
  if (!/Invalid cross-device link|EXDEV: cross-device link/.test(`${stdout.text}\n${stderr.text}`)) return result
  const text = `${stderr.text.replace(/\n*$/, '\n').trimStart()}${NOTE}\n`
  return { ...result, stderr: { ...stderr, text, bytes: stderr.bytes + Buffer.byteLength(NOTE) + 1 } }
}
