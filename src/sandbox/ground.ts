/** A copy-on-write view of one folder. `upper`, `work` and `merged` lie side by side; `lower` is where children see it. */
export type Layer = {
  readonly lower: string
  readonly upper: string
  readonly work: string
  readonly merged: string
}

/** The views of one command: its layers are the folders `0`, `1` … of `folder`, each with a link `lower`. */
export type ViewFolders = { readonly folder: string; readonly layers: readonly Layer[] }

/** What a command works on where the checkout is. */
export type Ground =
  | { readonly kind: 'readOnly' }
  /** The checkout itself; what is protected there and exists is read-only. */
  | { readonly kind: 'direct' }
  /** A view, but for the `direct` folders in it, which are the checkout's own. */
  | ({ readonly kind: 'view'; readonly direct: readonly string[] } & ViewFolders)

export const DIRECT: Ground = { kind: 'direct' }
