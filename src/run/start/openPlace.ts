import { join } from 'node:path'
import type { FileAccess } from '../../contracts/files.ts'
import { createFileAccess } from '../../files/createFileAccess.ts'
import { allowReading } from '../../policy/load/loadPolicy.ts'
import type { Policy } from '../../policy/Policy.ts'
import { type RunRequest, workspacesOf } from '../RunRequest.ts'
import type { Records } from '../record/openRecords.ts'
import type { Place } from '../Session.ts'
import { type OpenFilesOptions, openFiles, openProjectFiles } from './openFiles.ts'

/**
 * The place of the run at its start: folder, mode, policy, and the files that may be opened. `isUnsandboxed`: there is no
 * sandbox.
 */
export function openPlace(
  request: RunRequest,
  records: Records,
  isUnsandboxed: boolean,
): { place: Place; guard: OpenFilesOptions } {
  const { config, home } = request
  const policy = { ...readingOwn(request, records.blobFolder), isUnsandboxed }
  const guard = { policy, home, workingDirectories: workspacesOf(request), ...records }
  const mode = config.permissionMode ?? policy.settings.defaultMode
  return { place: { mode, cwd: config.cwd, files: openFiles(guard), policy }, guard }
}

/**
 * File access to the project's instructions, agents and skills. `root` is the project root, or the snapshot that
 * replaces it.
 */
export function projectFilesOf(guard: OpenFilesOptions, root: string): FileAccess {
  const isPlain = root === guard.workingDirectories[0]
  return isPlain ? openProjectFiles(guard) : createFileAccess({ roots: [root], forbidden: [] })
}

/** Allows reading what the run itself wrote: its blobs, and the snapshot that contains its skills. */
function readingOwn({ policy, configRoot }: RunRequest, blobFolder: string): Policy {
  const folders = configRoot === undefined ? [blobFolder] : [blobFolder, join(configRoot, '.claude', 'skills')]
  return folders.reduce((all, folder) => allowReading(all, folder), policy)
}
