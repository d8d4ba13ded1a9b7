import { chmodSync, chownSync, mkdirSync, mkdtempSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { Layer, ViewFolders } from './checkoutMode.ts'

/** Creates the empty folders of one command's views of these roots, below `parent`. */
export function createView(parent: string, roots: readonly string[]): ViewFolders {
  const folder = mkdtempSync(join(parent, 'view-'))
  return { folder, layers: roots.map((lower, index) => createLayer(join(folder, String(index)), lower)) }
}

function createLayer(folder: string, lower: string): Layer {
  const layer = { lower, upper: join(folder, 'upper'), work: join(folder, 'work'), merged: join(folder, 'merged') }
  for (const path of [folder, layer.upper, layer.work, layer.merged]) mkdirSync(path, { mode: 0o700 })
  symlinkSync(lower, join(folder, 'lower'))
  copyOwnership(layer)
  return layer
}

/** The upper folder lends its owner and mode to the root that children see. */
export function copyOwnership({ lower, upper }: Layer): void {
  const { mode, uid, gid } = statSync(lower)
  if (process.getuid?.() === 0) chownSync(upper, uid, gid)
  chmodSync(upper, mode & 0o7777)
}
