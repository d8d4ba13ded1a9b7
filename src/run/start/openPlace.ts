import { join } from 'node:path'
import type { DefinitionFolder } from '../../context/readDefinition.ts'
import type { FileAccess } from '../../contracts/files.ts'
import type { Plugin } from '../../contracts/plugins.ts'
import { createFileAccess } from '../../files/createFileAccess.ts'
import { allowReading } from '../../policy/load/loadPolicy.ts'
import type { Policy } from '../../policy/Policy.ts'
import { type RunRequest, workspacesOf } from '../RunRequest.ts'
import type { Records } from '../record/openRecords.ts'
import type { Place } from '../Session.ts'
import { type OpenFilesOptions, openFiles, openProjectFiles } from './openFiles.ts'

/**
 * The place of the run at its start: folder, mode, policy, and the files that may be opened. `isUnsandboxed`: there is no
 * sandbox. `plugins`: the folder with their copies.
 */
export function openPlace(
  request: RunRequest,
  records: Records,
  isUnsandboxed: boolean,
  plugins: string | undefined,
): { place: Place; guard: OpenFilesOptions } {
  const { config, home } = request
  const policy = { ...readingOwn(request, records.blobFolder, plugins), isUnsandboxed }
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

/** Where commands, agents and skills are: those of the project, then of its plugins. */
export function foldersOf(folder: string, files: FileAccess, plugins: readonly Plugin[]): readonly DefinitionFolder[] {
  const others = plugins.map(({ name, root }) => {
    return { folder: root, files: createFileAccess({ roots: [root], forbidden: [] }), prefix: `${name}:` }
  })
  return [{ folder, files, prefix: '' }, ...others]
}

/** Allows reading what the run itself wrote: its blobs, its plugins, and the snapshot that contains its skills. */
function readingOwn({ policy, configRoot }: RunRequest, blobFolder: string, plugins: string | undefined): Policy {
  const skills = configRoot === undefined ? [] : [join(configRoot, '.claude', 'skills')]
  const folders = [blobFolder, ...skills, ...(plugins === undefined ? [] : [plugins])]
  return folders.reduce((all, folder) => allowReading(all, folder), policy)
}
