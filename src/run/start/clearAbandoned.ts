import { accessSync, constants, statfsSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { messageOf, RunError } from '../../contracts/errors.ts'
import type { ModelClient } from '../../contracts/model.ts'
import { abandonedFolders } from '../../lib/fs/ownedFolder.ts'
import { once } from '../../lib/memoize.ts'
import { orElse } from '../../lib/orElse.ts'
import { removeTree } from '../../sandbox/views/removeTree.ts'

/** With less free space than this for temporary files, a run removes abandoned folders before it starts. */
const LITTLE_BYTES = 128 * 1024 * 1024

/**
 * Removes the temporary folders of killed runs. It works while the model answers, because finding them takes a while in
 * a crowded folder. If there is little space, it works at once. Keeps folders of other hosts and of runs that are still
 * alive. Never throws.
 */
export async function clearAbandoned() {
  const finish = once(async () => {
    await Promise.all(abandonedFolders(tmpdir(), 'kode-run-').map(removeTree))
  })
  if (isLittleRoom()) await finish()
  return {
    /** Starts the removal if it has not started yet, and waits until it is done. Never throws. */
    finish,
    /** The same model. The first event of an answer starts the removal. */
    behind: (model: ModelClient): ModelClient => ({
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
  return orElse(true, () => {
    const { bavail, bsize } = statfsSync(tmpdir())
    return bavail * bsize < LITTLE_BYTES
  })
}

/** Throws `cannot_create` without a usable folder for temporary files: sandbox, patches and long outputs need it. */
export function requireTemporaryFolder(): void {
  const folder = tmpdir()
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
    if (statSync(folder).isDirectory()) return
  } catch (cause) {
    throw unusable(folder, messageOf(cause), { cause })
  }
  throw unusable(folder, 'it is not a folder')
}

function unusable(folder: string, why: string, options?: ErrorOptions): RunError {
  const message = `temporary files cannot be created in ${folder}: ${why}. Create the folder, or set TMPDIR to another one`
  return new RunError('cannot_create', message, options)
}
