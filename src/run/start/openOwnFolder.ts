import { mkdir } from 'node:fs/promises'
import { createFileAccess } from '../../files/createFileAccess.ts'
import { resolvePath } from '../../files/resolvePath.ts'
import type { FileAccess } from '../../Tool.ts'

/** The guard of a folder that belongs to the run alone. The folder is made at the first write, for its user only. */
export function openOwnFolder(path: string, home: string): FileAccess {
  const folder = resolvePath(path, '/', home).resolved
  const files = createFileAccess({ roots: [folder], forbidden: [] })
  return {
    ...files,
    async write(...request) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      return files.write(...request)
    },
  }
}
