import { tmpdir } from 'node:os'
import { abandonedFolders } from '../../lib/fs/ownedFolder.ts'
import { removeTree } from '../../sandbox/views/removeTree.ts'

/** Removes the temporary folders of killed runs. Keeps those of running ones and of other hosts. Never throws. */
export async function clearAbandoned(): Promise<void> {
  await Promise.all(abandonedFolders(tmpdir(), 'kode-run-').map(removeTree))
}
