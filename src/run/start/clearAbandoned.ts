import { tmpdir } from 'node:os'
import { abandonedFolders } from '../../lib/fs/ownedFolder.ts'
import { removeTree } from '../../sandbox/views/removeTree.ts'

/** Removes the temporary folders of runs that were killed. Those of runs that live, or of other hosts, stay. Never throws. */
export async function clearAbandoned(): Promise<void> {
  await Promise.all(abandonedFolders(tmpdir(), 'kode-run-').map(removeTree))
}
