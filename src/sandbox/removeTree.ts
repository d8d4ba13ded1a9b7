import { chmod, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** Removes a folder of a run, also what package managers left without write permission. Never throws. */
export async function removeTree(folder: string): Promise<void> {
  const remove = () => rm(folder, { recursive: true, force: true })
  await remove()
    .catch(() => unlock(folder).then(remove))
    .catch(() => undefined)
}

async function unlock(folder: string): Promise<void> {
  await chmod(folder, 0o700)
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) await unlock(join(folder, entry.name)).catch(() => undefined)
  }
}
