import { type ExitReason, messageOf, RunError } from '../../contracts/errors.ts'

/** What `kode-run doctor` found out about one requirement of a run. */
export type Finding =
  | { readonly name: string; readonly level: 'ok' | 'warning'; readonly detail: string; readonly reason?: never }
  /** `reason`: how a run would end because of it. */
  | { readonly name: string; readonly level: 'error'; readonly detail: string; readonly reason: ExitReason }

/** What an error says, which ends a run by its own reason, if it has one. */
export function failed(name: string, error: unknown, otherwise: ExitReason): Finding {
  const reason = error instanceof RunError ? error.reason : otherwise
  return { name, level: 'error', detail: messageOf(error), reason }
}
