import { openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { removeOwned, shortLivedFolder } from './ownedFolder.ts'

/**
 * A text as a child's stdin: an unlinked file, read from its start. Unlike Node's own stdin, a child can open it again:
 * scripts read `/dev/stdin`. The caller closes it.
 */
export function openInput(text: string): number {
  const folder = shortLivedFolder('kode-run-input-')
  try {
    const file = join(folder, 'stdin')
    writeFileSync(file, text, { mode: 0o600, flag: 'wx' })
    return openSync(file, 'r')
  } finally {
    removeOwned(folder)
  }
}
