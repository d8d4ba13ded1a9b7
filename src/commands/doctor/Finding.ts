import type { ExitReason } from '../../contracts/errors.ts'

/** What `kode-run doctor` found out about one requirement of a run. */
export type Finding =
  | { readonly name: string; readonly level: 'ok' | 'warning'; readonly detail: string; readonly reason?: never }
  /** `reason`: how a run would end because of it. */
  | { readonly name: string; readonly level: 'error'; readonly detail: string; readonly reason: ExitReason }
