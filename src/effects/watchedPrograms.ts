import type { CommandEffects, EffectsReport } from '../contracts/effects.ts'
import type { CommandOrder } from './commandOrder.ts'
import type { WatchCheckout, Watched } from './parts.ts'

/** Programs that outlive their calls. They work on the checkout itself, which is compared after each call. */
export function openWatchedPrograms(watchCheckout: WatchCheckout, { inTurn }: Pick<CommandOrder, 'inTurn'>) {
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
    /** Watches a program until it ends. `name` is its name in reports. */
    watch<T>(name: string, effects: CommandEffects, launch: () => Promise<T>): Promise<T> {
      const outlived = watch(name, effects, launch)
      outliving.add(outlived)
      void outlived.catch(() => undefined).finally(() => outliving.delete(outlived))
      return outlived
    },
    /** What they changed since the last look, and what was put back; empty if nothing is watched. */
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
