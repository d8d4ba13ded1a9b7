import type { CommandRequest, CommandResult } from '../contracts/commands.ts'
import type { CommandEffects, EffectsReport, PathChange } from '../contracts/effects.ts'
import type { WaitingSandbox } from '../sandbox/startWaiting.ts'
import type { CheckoutMode } from '../sandbox/views/checkoutMode.ts'

/** What to report to the account of all changes, and when. */
export type ChangeAccount = {
  /** Before a change is taken over: the present state becomes the before-image, if it is the first. */
  before(path: string): void | Promise<void>
  /** After they were taken over. */
  after(changes: readonly PathChange[], by: string): void | Promise<void>
  /** After changes were taken over that no rule has to cover. */
  ignored?(changes: readonly PathChange[], by: string): void | Promise<void>
  /** After they were taken over, with what git wrote and no rule has to cover, such as its logs. */
  taken?(paths: readonly string[]): void | Promise<void>
}

/** Watches the checkout for one command. */
export type Watched = {
  /** Compares while the command still runs, such as after each call; puts back only what is refused. */
  look(): Promise<EffectsReport>
  /**
   * Compares after the command ended. A refused change to an existing path undoes all others, as in a view, unless the
   * access is `direct` or something else is watched too.
   */
  settle(): Promise<EffectsReport>
}

/** Records the state of the checkout before a command works on it. */
export type WatchCheckout = (effects: CommandEffects) => Promise<Watched>

/** Runs a command on a mode of the checkout, in a sandbox that waits for it if there is one. Does not throw. */
export type StartCommand = (
  request: CommandRequest,
  checkout: CheckoutMode,
  waiting?: WaitingSandbox,
) => Promise<CommandResult>

/** Starts a sandbox ahead of its command. */
export type PrepareCommand = (like: CommandRequest, checkout: CheckoutMode) => WaitingSandbox | undefined
