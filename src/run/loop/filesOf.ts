import type { FileAccess } from '../../contracts/files.ts'
import { anchorPolicy } from '../../policy/rules/indexPolicy.ts'
import type { Session } from '../Session.ts'
import { openFiles } from '../start/openFiles.ts'

/** The file access for the current working directories. */
export function filesOf(session: Session): FileAccess {
  const { home, records, blobFolder, place } = session
  return openFiles({ policy: place.policy, home, records, blobFolder, workingDirectories: workingDirectories(session) })
}

/** Moves the run to another folder: its rules, its files, and the servers that follow it. */
export async function moveTo(session: Session, path: string): Promise<void> {
  const { place, policy, servers } = session
  place.cwd = path
  place.policy = anchorPolicy(policy, path)
  place.files = filesOf(session)
  await servers?.moved()
}

/** The project root and the working directories that flags and policy add. */
export function workingDirectories({ place, config, policy }: Session): readonly string[] {
  return [place.cwd, ...config.addDirs, ...policy.settings.additionalDirectories]
}
