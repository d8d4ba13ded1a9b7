import type { FileAccess } from '../../contracts/files.ts'
import { createFileAccess } from '../../files/createFileAccess.ts'
import type { Policy } from '../../policy/Policy.ts'
import { decidePath, judgePath } from '../../policy/paths/judgePath.ts'

/** What the guard of in-process files needs to know. */
export type OpenFilesOptions = {
  readonly policy: Policy
  readonly home: string
  /** Project root first. */
  readonly workingDirectories: readonly string[]
  /** Where bodies too large for the transcript go; Read may open them. */
  readonly blobFolder: string
  /** Records of the run and files of the runner: no tool touches them. */
  readonly records: readonly string[]
}

/**
 * The guard for this run: the working directories, the run's own blobs, and what a rule names besides. A deny rule holds
 * for what is really opened, whoever allowed the call.
 */
export function openFiles(options: OpenFilesOptions): FileAccess {
  const { policy, blobFolder, records } = options
  const ruled = (path: string, access: 'read' | 'write') => judgePath(options, path, access)
  return createFileAccess({
    roots: options.workingDirectories,
    extraReadable: [blobFolder],
    forbidden: [...records, blobFolder],
    readOnly: policy.files,
    isReadAllowedOutside: (path) => ruled(path, 'read') === 'allow',
    isWriteAllowedOutside: (path) => ruled(path, 'write') === 'allow',
    isReadDenied: (path) => ruled(path, 'read') === 'deny',
    isWriteDenied: (path) => ruled(path, 'write') === 'deny',
  })
}

/**
 * The guard for what the checkout brings in by itself: instructions and what they import, agents, skills. No rule has to
 * allow them, but what is protected, or what a rule denies or asks about, is not read for a file that names it.
 */
export function openProjectFiles(options: OpenFilesOptions): FileAccess {
  const { workingDirectories, records } = options
  return createFileAccess({
    roots: workingDirectories,
    forbidden: records,
    isReadDenied: (path) => {
      const { behavior, reason } = decidePath(options, path, 'read')
      return behavior !== 'allow' && reason.type !== 'headless'
    },
  })
}
