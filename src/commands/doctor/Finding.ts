import { type ExitReason, messageOf, reasonOf } from '../../contracts/errors.ts'

/** What `kode-run doctor` found out about one requirement of a run. */
export type Finding = {
  readonly name: string
  readonly level: 'ok' | 'warning' | 'error'
  readonly detail: string
  /** How a run would end because of an error. */
  readonly reason?: ExitReason
}

export function found(name: string, detail: string, level: 'ok' | 'warning' = 'ok'): Finding {
  return { name, level, detail }
}

export function fault(name: string, reason: ExitReason, detail: string): Finding {
  return { name, level: 'error', detail, reason }
}

/** What an error says, which ends a run by its own reason, if it has one. */
export function failed(name: string, error: unknown, otherwise: ExitReason): Finding {
  return fault(name, reasonOf(error, otherwise), messageOf(error))
}
