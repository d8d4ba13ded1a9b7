export type NamedPlugin = {
  readonly path: string
  /** Of all its files. */
  readonly sha256?: string | undefined
  /** True: the policy names it, which can pin it. */
  readonly isPolicy?: boolean
}

/** Hooks or servers of a plugin: JSON, with the folder of the plugin filled in, and what messages call it. */
export type PluginFile = { readonly label: string; readonly text: string }

export type Plugin = {
  readonly name: string
  readonly version?: string
  /** As named. */
  readonly path: string
  /** The same folder without links; in the checkout even where a snapshot replaces it. */
  readonly source: string
  /** The copy that is used, with `commands`, `agents` and `skills` in their usual places. */
  readonly root: string
  readonly sha256: string
  /** True: it lies in the checkout, so it is trusted no further than the checkout is. */
  readonly isFromProject: boolean
  readonly hooks: readonly PluginFile[]
  readonly servers: readonly PluginFile[]
}

export type Plugins = {
  readonly list: readonly Plugin[]
  readonly folder: string | undefined
  readonly protectedPaths: readonly string[]
  readonly warnings: readonly string[]
  close(): void
}
