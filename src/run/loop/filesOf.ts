import type { FileAccess } from '../../contracts/files.ts'
import type { Session } from '../Session.ts'
import { openFiles } from '../start/openFiles.ts'

/** The file access for the current working directories. */
export function filesOf(session: Session): FileAccess {
  const { home, records, blobFolder, place } = session
  return openFiles({ policy: place.policy, home, records, blobFolder, workingDirectories: workingDirectories(session) })
}

/** The project root and the working directories that flags and policy add. */
export function workingDirectories({ place, config, policy }: Session): readonly string[] {
  return [place.cwd, ...config.addDirs, ...policy.settings.additionalDirectories]
}
