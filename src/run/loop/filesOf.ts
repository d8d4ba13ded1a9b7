import type { FileAccess } from '../../contracts/files.ts'
import type { Session } from '../Session.ts'
import { openFiles } from '../start/openFiles.ts'

/** The guard for the working directories as they are now. */
export function filesOf(session: Session): FileAccess {
  const { home, records, blobFolder, place } = session
  return openFiles({ policy: place.policy, home, records, blobFolder, workingDirectories: workingDirectories(session) })
}

/** The project root, and what flags and policy add to it. */
export function workingDirectories({ place, config, policy }: Session): readonly string[] {
  return [place.cwd, ...config.addDirs, ...policy.settings.additionalDirectories]
}
