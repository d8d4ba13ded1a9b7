import type { FileAccess } from '../../contracts/files.ts'
import { createFileAccess } from '../../files/createFileAccess.ts'
import type { Policy } from '../../policy/Policy.ts'
import { decidePath, judgePath } from '../../policy/paths/judgePath.ts'

/** Options of the file access for in-process tools. */
export type OpenFilesOptions = {
  readonly policy: Policy
  readonly home: string
  /** Project root first. */
  readonly workingDirectories: readonly string[]
  /** The folder for bodies that are too large for the transcript. Read may open them. */
  readonly blobFolder: string
  /** Records of the run and files of the runner. No tool may touch them. */
  readonly records: readonly string[]
}

/**
 * The file access of this run: the working directories, the run's own blobs, and other files that a rule names. A deny
 * rule applies to the file that is actually opened, whoever allowed the call.
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
 * The file access for instructions and their imports, agents and skills of the checkout. They need no allow rule.
 * Protected files, and files that a rule denies or asks about, are not read.
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
