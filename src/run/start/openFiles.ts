import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { DefinitionFolder } from '../../context/readDefinition.ts'
import type { FileAccess } from '../../contracts/files.ts'
import type { Plugin } from '../../contracts/plugins.ts'
import { createFileAccess } from '../../files/createFileAccess.ts'
import { resolvePath } from '../../files/resolvePath.ts'
import { allowReading } from '../../policy/load/loadPolicy.ts'
import type { Policy } from '../../policy/Policy.ts'
import { decidePath, judgePath } from '../../policy/paths/judgePath.ts'
import { anchorPolicy } from '../../policy/rules/indexPolicy.ts'
import { type RunRequest, workspacesOf } from '../RunRequest.ts'
import type { Records } from '../record/openRecords.ts'
import type { Place, Session } from '../Session.ts'

type OpenFilesOptions = Pick<Session, 'policy' | 'records' | 'blobFolder'> & {
  /** Project root first. */
  readonly workingDirectories: readonly string[]
}

/**
 * The file access of this run: the working directories, the run's own blobs, and other files that a rule names. A deny
 * rule applies to the file that is actually opened, whoever allowed the call.
 */
export function openFiles(options: OpenFilesOptions): FileAccess {
  const { policy, blobFolder, records } = options
  return createFileAccess({
    roots: options.workingDirectories,
    extraReadable: [blobFolder],
    forbidden: [...records, blobFolder],
    readOnly: policy.files,
    verdict: (path, access) => judgePath(options, path, access),
  })
}

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
  const { config } = request
  const policy = { ...readingOwn(request, records.blobFolder, plugins), isUnsandboxed }
  const guard = { policy, workingDirectories: workspacesOf(request), ...records }
  const mode = config.permissionMode ?? policy.settings.defaultMode
  return { place: { mode, cwd: config.cwd, files: openFiles(guard), policy }, guard }
}

/**
 * File access to instructions, agents and skills below `root`: the project, or the snapshot that replaces it. They need no
 * allow rule. Of the project, what is protected and what a rule denies or asks about is not read.
 */
export function projectFilesOf(options: OpenFilesOptions, root: string): FileAccess {
  const { workingDirectories, records } = options
  if (root !== workingDirectories[0]) return openOnly(root)
  return createFileAccess({
    roots: workingDirectories,
    forbidden: records,
    verdict(path, access) {
      const { behavior, reason } = decidePath(options, path, access)
      return access === 'read' && behavior !== 'allow' && reason.type !== 'headless' ? 'deny' : undefined
    },
  })
}

function openOnly(root: string): FileAccess {
  return createFileAccess({ roots: [root], forbidden: [] })
}

/** Where commands, agents and skills are: those of the project, then of its plugins. */
export function foldersOf(folder: string, files: FileAccess, plugins: readonly Plugin[]): readonly DefinitionFolder[] {
  const others = plugins.map(({ name, root }) => ({ folder: root, files: openOnly(root), prefix: `${name}:` }))
  return [{ folder, files, prefix: '' }, ...others]
}

/** Allows reading what the run itself wrote: its blobs, its plugins, and the snapshot that contains its skills. */
function readingOwn({ policy, configRoot }: RunRequest, blobFolder: string, plugins: string | undefined): Policy {
  const skills = configRoot === undefined ? [] : [join(configRoot, '.claude', 'skills')]
  const folders = [blobFolder, ...skills, ...(plugins === undefined ? [] : [plugins])]
  return folders.reduce((all, folder) => allowReading(all, folder), policy)
}

/** File access to a folder that only this run uses. The folder is created at the first write, for its user only. */
export function openOwnFolder(path: string, home: string): FileAccess {
  const folder = resolvePath(path, '/', home).resolved
  const files = openOnly(folder)
  return {
    ...files,
    async write(...request) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      return files.write(...request)
    },
  }
}

export function filesOf(session: Session): FileAccess {
  const { records, blobFolder, place } = session
  return openFiles({ policy: place.policy, records, blobFolder, workingDirectories: workingDirectories(session) })
}

/** Moves the run to another folder: its rules, its files, and the servers that follow it. */
export async function moveTo(session: Session, path: string): Promise<void> {
  const { place, policy, servers } = session
  place.cwd = path
  place.policy = anchorPolicy(policy, path)
  place.files = filesOf(session)
  await servers?.moved()
}

export function workingDirectories({ place, config, policy }: Session): readonly string[] {
  return [place.cwd, ...workspacesOf({ config, policy }).slice(1)]
}
