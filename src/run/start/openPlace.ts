import { join } from 'node:path'
import type { FileAccess } from '../../contracts/files.ts'
import { createFileAccess } from '../../files/createFileAccess.ts'
import { allowReading } from '../../policy/load/loadPolicy.ts'
import type { Policy } from '../../policy/Policy.ts'
import { type RunRequest, workspacesOf } from '../RunRequest.ts'
import type { Records } from '../record/openRecords.ts'
import type { Place } from '../Session.ts'
import { type OpenFilesOptions, openFiles, openProjectFiles } from './openFiles.ts'

/** Where the run works at its start, `isUnboxed` without a sandbox: its folder, its mode, its policy, and the files that may be opened. */
export function openPlace(
  request: RunRequest,
  records: Records,
  isUnboxed: boolean,
): { place: Place; guard: OpenFilesOptions } {
  const { config, home } = request
  const policy = { ...readingOwn(request, records.blobFolder), isUnboxed }
  const guard = { policy, home, workingDirectories: workspacesOf(request), ...records }
  const mode = config.permissionMode ?? policy.settings.defaultMode
  return { place: { mode, cwd: config.cwd, files: openFiles(guard), policy }, guard }
}

/** The guard of what the project says about itself; `root` is another folder where a commit's files stand in for it. */
export function projectFilesOf(guard: OpenFilesOptions, root: string): FileAccess {
  const isPlain = root === guard.workingDirectories[0]
  return isPlain ? openProjectFiles(guard) : createFileAccess({ roots: [root], forbidden: [] })
}

/** What the run itself wrote may be read: its blobs, and the snapshot that its skills stand in. */
function readingOwn({ policy, configRoot }: RunRequest, blobFolder: string): Policy {
  const folders = configRoot === undefined ? [blobFolder] : [blobFolder, join(configRoot, '.claude', 'skills')]
  return folders.reduce((all, folder) => allowReading(all, folder), policy)
}
