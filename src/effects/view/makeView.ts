import { openTar, type WaitingTar } from '../../sandbox/mounts/opaqueFolders.ts'
import type { CheckoutMode, Layer } from '../../sandbox/views/checkoutMode.ts'
import { createView } from '../../sandbox/views/createView.ts'
import { removeTree } from '../../sandbox/views/removeTree.ts'

/** The view of one command, and for each layer what its upper folder will be read with. */
export type OpenView = {
  readonly checkout: CheckoutMode & { readonly kind: 'view' }
  readonly parts: readonly { readonly layer: Layer; readonly tar: WaitingTar }[]
}

export type ViewPlace = { readonly folder: string; readonly tar: string }

/** Folders and programs for the view of one command; `direct` is in it as it is. */
export function makeView({ folder, tar }: ViewPlace, roots: readonly string[], direct: readonly string[]): OpenView {
  const checkout = { kind: 'view', direct, ...createView(folder, roots) } as const
  return { checkout, parts: checkout.layers.map((layer) => ({ layer, tar: openTar(tar, layer.upper) })) }
}

/** Nothing of its command may be alive. */
export async function removeView({ checkout, parts }: OpenView): Promise<void> {
  for (const { tar } of parts) tar.close()
  await removeTree(checkout.folder)
}
