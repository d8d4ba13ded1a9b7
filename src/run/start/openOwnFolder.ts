import { mkdir } from 'node:fs/promises'
import { createFileAccess } from '../../files/createFileAccess.ts'
import { resolvePath } from '../../files/resolvePath.ts'
import type { FileAccess } from '../../Tool.ts'

/** File access to a folder that only this run uses. The folder is created at the first write, for its user only. */
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
