/** A copy-on-write view of one folder. `upper`, `work` and `merged` are side by side; children see it at `lower`. */
export type Layer = {
  readonly lower: string
  readonly upper: string
  readonly work: string
  readonly merged: string
}

/** The views of one command: its layers are the folders `0`, `1` … of `folder`, each with a link `lower`. */
export type ViewFolders = { readonly folder: string; readonly layers: readonly Layer[] }

/** What a command sees in place of the checkout. `home`: what `freshHome` made, in place of the run's home. */
export type CheckoutMode = { readonly home?: string | undefined } & (
  | { readonly kind: 'readOnly' }
  /** The checkout itself, with existing protected places read-only. */
  | { readonly kind: 'direct' }
  /** A view, except for its `direct` folders, which are the checkout's own. */
  | ({ readonly kind: 'view'; readonly direct: readonly string[] } & ViewFolders)
)

export const READ_ONLY: CheckoutMode = { kind: 'readOnly' }
export const DIRECT: CheckoutMode = { kind: 'direct' }
