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

/** Notes how the checkout stands; `settle`, when the command has ended, judges what differs and puts back what is refused. */
export type WatchCheckout = (effects: CommandEffects) => Promise<{ settle(): Promise<EffectsReport> }>

/** Runs a command on a ground. Does not throw. */
export type StartCommand = (request: CommandRequest, ground: Ground) => Promise<CommandResult>
