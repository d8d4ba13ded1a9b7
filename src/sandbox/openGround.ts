import { setTimeout as delay } from 'node:timers/promises'
import { createPlaceholders } from './createPlaceholders.ts'
import { hasTenants } from './hasTenants.ts'
import { openClaims } from './openClaims.ts'
import { removeTree } from './removeTree.ts'

/** What sandboxes stand on in the checkout: there while one stands, and gone between. */
export interface Ground {
  /** A folder that children must not reach. */
  readonly folder: string
  /** Lays it for one sandbox, or finds it laid; what is returned is to be called once, when its command has ended. */
  enter(): () => Promise<void>
  close(): Promise<void>
}

/** The kernel ends what fled its group within milliseconds; under load it was seen to take a tenth of a second. */
const MOST_WAIT_MS = 2_000
const BETWEEN_LOOKS_MS = 2

/**
 * Placeholders for the paths, while a command of the run needs them. What a command leaves behind may still run when the
 * command has ended: the last one out waits for that. Other runs in the same checkout keep what they need.
 */
export function openGround(paths: readonly string[], scratch: string): Ground {
  const placeholders = createPlaceholders(paths)
  const claims = openClaims(paths, scratch)
  claims.forgetKilled(removeTree)
  let inside = 0

  const clear = async () => {
    const end = performance.now() + MOST_WAIT_MS
    while (inside === 0 && performance.now() < end) {
      if (!hasTenants(scratch)) return claims.give(placeholders.remove)
      await delay(BETWEEN_LOOKS_MS)
    }
  }
  return {
    folder: claims.folder,
    enter() {
      if (inside === 0) claims.take()
      inside += 1
      placeholders.make()
      return async () => {
        inside -= 1
        if (inside === 0) await clear()
      }
    },
    async close() {
      inside = 0
      await clear()
      claims.close()
    },
  }
}
