import { spawnSync } from 'node:child_process'
import { findProgram } from '../../../src/sandbox/environment/childPath.ts'
import { landlockVersion } from '../../../src/sandbox/landlock/launcher.ts'

/** A world as in most containers, to start a run in: no second bubblewrap starts there. */
export const NO_NAMESPACES = [
  ...['bwrap', '--unshare-user', '--disable-userns', '--dev-bind', '/', '/', '--proc', '/proc'],
  ...['--cap-drop', 'ALL', '--'],
]

const perl = findProgram('perl', process.env['PATH'] ?? '')

/** The version of Landlock here; 0 if there is none. */
export const landlockHere = (perl === undefined ? undefined : landlockVersion(perl)) ?? 0

/** Whether a run in that world can be played here. */
export const canPlayLandlock =
  landlockHere >= 6 && spawnSync(NO_NAMESPACES[0] ?? '', [...NO_NAMESPACES.slice(1), 'true']).status === 0
