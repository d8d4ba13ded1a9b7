import { openTar, type WaitingTar } from '../../sandbox/mounts/opaqueFolders.ts'
import type { Layer, ViewFolders } from '../../sandbox/views/checkoutMode.ts'
import { createView, likeLower } from '../../sandbox/views/createView.ts'
import { removeTree } from '../../sandbox/views/removeTree.ts'

/** The folders of one command's view, and for each layer what its upper folder will be read with. */
export type PreparedView = ViewFolders & {
  readonly parts: readonly { readonly layer: Layer; readonly tar: WaitingTar }[]
}

export type ViewPlace = { readonly folder: string; readonly tar: string }

/** Views that are made while the model thinks: a command that comes then waits for no folder and no program. */
export function prepareViews({ folder, tar }: ViewPlace, roots: readonly string[]) {
  let next: PreparedView | undefined
  let isClosed = false
  const make = (): PreparedView => {
    const view = createView(folder, roots)
    return { ...view, parts: view.layers.map((layer) => ({ layer, tar: openTar(tar, layer.upper) })) }
  }
  return {
    /** The owner and mode of a root may have changed since. */
    take(): PreparedView {
      const view = next ?? make()
      next = undefined
      view.layers.forEach(likeLower)
      return view
    },
    /** To be called when a command has been settled. What cannot be made now is made when it is needed. */
    prepare(): void {
      setImmediate(() => {
        try {
          if (!isClosed) next ??= make()
        } catch {
          next = undefined
        }
      })
    },
    async close(): Promise<void> {
      isClosed = true
      if (next === undefined) return
      closeTars(next)
      await removeTree(next.folder)
    },
  }
}

export function closeTars({ parts }: PreparedView): void {
  for (const { tar } of parts) tar.close()
}
