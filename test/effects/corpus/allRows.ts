import type { EffectRow } from './EffectRow.ts'
import { FILE_ESCAPES } from './rows/escapeFiles.ts'
import { GIT_ESCAPES } from './rows/escapeGit.ts'
import { OBJECT_ESCAPES } from './rows/escapeObjects.ts'
import { PROCESS_ESCAPES } from './rows/escapeProcesses.ts'
import { VIEW_ESCAPES } from './rows/escapeView.ts'
import { FILES } from './rows/files.ts'
import { GIT } from './rows/git.ts'
import { GIT_HISTORY } from './rows/gitHistory.ts'
import { IGNORED_FILES } from './rows/ignoredFiles.ts'
import { PROTECTED } from './rows/places.ts'
import { PROGRAMS } from './rows/programs.ts'
import { READS } from './rows/reads.ts'
import { USUAL } from './rows/usual.ts'

export const ALL_ROWS: readonly EffectRow[] = [
  ...USUAL,
  ...PROGRAMS,
  ...GIT,
  ...GIT_HISTORY,
  ...FILES,
  ...IGNORED_FILES,
  ...PROTECTED,
  ...READS,
  ...GIT_ESCAPES,
  ...OBJECT_ESCAPES,
  ...VIEW_ESCAPES,
  ...FILE_ESCAPES,
  ...PROCESS_ESCAPES,
]
