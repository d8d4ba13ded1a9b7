import { statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import type { ModelClient } from '../../contracts/model.ts'
import { once } from '../../lib/async/once.ts'
import { abandonedFolders } from '../../lib/fs/ownedFolder.ts'
import { removeTree } from '../../sandbox/views/removeTree.ts'

/** With less room than this for temporary files, a run does not begin before it has tried to make more. */
const LITTLE_BYTES = 128 * 1024 * 1024

/** The removal of the temporary folders of runs that were killed. */
export interface Clearing {
  /** The same model; its first answer, or the first thing that is said about it, lets the removal begin. */
  behind(model: ModelClient): ModelClient
  /** Begins where nothing has let it begin, and waits for the end. Never throws. */
  finish(): Promise<void>
}

/**
 * Removes the temporary folders of killed runs while the model answers, because looking for them takes a while in a
 * crowded folder; at once where there is little room. Keeps those of running ones and of other hosts. Never throws.
 */
export async function clearAbandoned(): Promise<Clearing> {
  const finish = once(async () => {
    await Promise.all(abandonedFolders(tmpdir(), 'kode-run-').map(removeTree))
  })
  if (isLittleRoom()) await finish()
  return {
    finish,
    behind: (model) => ({
      name: model.name,
      host: model.host,
      async *stream(request, signal) {
        for await (const event of model.stream(request, signal)) {
          void finish()
          yield event
        }
      },
      close: () => model.close(),
    }),
  }
}

function isLittleRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(tmpdir())
    return bavail * bsize < LITTLE_BYTES
  } catch {
    return true
  }
}
