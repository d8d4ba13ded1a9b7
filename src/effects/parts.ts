import type { CommandRequest, CommandResult } from '../contracts/commands.ts'
import type { CommandEffects, EffectsReport, PathChange } from '../contracts/effects.ts'
import type { Ground } from '../sandbox/ground.ts'

/** What the account of all changes must be told, and when. */
export type ChangeAccount = {
  /** Before a change is taken over: what stands there is the before-image, if it is the first. */
  before(path: string): void | Promise<void>
  /** After they were taken over. */
  after(changes: readonly PathChange[], by: string): void | Promise<void>
}

/** Watches the checkout for one command; see `openCheckoutWatch`. */
export type Watched = { look(): Promise<EffectsReport>; settle(): Promise<EffectsReport> }

/** Notes how the checkout stands before a command works on it. */
export type WatchCheckout = (effects: CommandEffects) => Promise<Watched>

/** Runs a command on a ground. Does not throw. */
export type StartCommand = (request: CommandRequest, ground: Ground) => Promise<CommandResult>
