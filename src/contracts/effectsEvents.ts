import type { EffectsReport, PathChange } from './effects.ts'
import type { Owned } from './events.ts'

/** What a call's command changed, and which changes were kept. Paths in the project are relative to its root. */
export type EffectsEvent = Owned & {
  readonly type: 'system'
  readonly subtype: 'effects'
  readonly tool_use_id: string
  readonly tool_name: string
  /** Who changed it, if not the call's own command: a hook, a background command, an MCP server. */
  readonly of?: string
  readonly state: EffectsReport['state']
  readonly kept: readonly ChangedPath[]
  /** Files that need no rule, counted by top folder: ignored by git, or in `sandbox.writable`. */
  readonly scratch: Readonly<Record<string, number>>
  /** New paths that were left out, while the rest was kept. */
  readonly left_out: readonly RefusedPath[]
  /** Why nothing was kept. */
  readonly undone: readonly RefusedPath[]
  readonly unknown?: string
  /** The Edit rules that were missing under `--audit`. */
  readonly audited?: readonly string[]
}
export type ChangedPath = { readonly path: string; readonly kind: PathChange['kind'] }
export type RefusedPath = ChangedPath & {
  readonly why: string
  readonly rule: string | null
  readonly source: string | null
  readonly line: number | null
}
