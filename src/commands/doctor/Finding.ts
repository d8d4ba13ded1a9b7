import type { ExitReason } from '../../contracts/errors.ts'

/** What `kode-run doctor` says of one need of a run. */
export type Finding =
  | { readonly name: string; readonly level: 'ok' | 'warning'; readonly detail: string; readonly reason?: never }
  /** `reason`: how a run would end. */
  | { readonly name: string; readonly level: 'error'; readonly detail: string; readonly reason: ExitReason }
