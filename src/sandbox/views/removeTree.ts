import { chmod, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { OWNER } from '../../lib/fs/ownedFolder.ts'

/**
 * Removes a folder of a run, including what package managers left without write permission. Never throws. The owner's
 * name goes last: after a kill, the folder can still be recognized as abandoned.
 */
export async function removeTree(folder: string): Promise<void> {
  const remove = async () => {
    const inside = (await readdir(folder).catch(() => [])).filter((name) => name !== OWNER)
    await Promise.all(inside.map((name) => rm(join(folder, name), { recursive: true, force: true })))
    await rm(folder, { recursive: true, force: true })
  }
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
