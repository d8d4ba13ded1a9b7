import { openTar, type WaitingTar } from '../../sandbox/mounts/opaqueFolders.ts'
import type { Layer, ViewFolders } from '../../sandbox/views/checkoutMode.ts'
import { createView } from '../../sandbox/views/createView.ts'
import { removeTree } from '../../sandbox/views/removeTree.ts'

/** The folders of one command's view, and for each layer what its upper folder will be read with. */
export type OpenView = {
  readonly folders: ViewFolders
  readonly parts: readonly { readonly layer: Layer; readonly tar: WaitingTar }[]
}

export type ViewPlace = { readonly folder: string; readonly tar: string }

export function makeView({ folder, tar }: ViewPlace, roots: readonly string[]): OpenView {
  const folders = createView(folder, roots)
  return { folders, parts: folders.layers.map((layer) => ({ layer, tar: openTar(tar, layer.upper) })) }
}

/** Nothing of its command may be alive. */
export async function removeView({ folders, parts }: OpenView): Promise<void> {
  for (const { tar } of parts) tar.close()
  await removeTree(folders.folder)
}
