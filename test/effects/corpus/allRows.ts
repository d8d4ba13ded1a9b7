import type { EffectRow } from './EffectRow.ts'
import { GIT_ESCAPES } from './rows/escapeGit.ts'
import { VIEW_ESCAPES } from './rows/escapeView.ts'
import { FILES } from './rows/files.ts'
import { GIT } from './rows/git.ts'
import { PROTECTED, READS } from './rows/places.ts'
import { PROGRAMS } from './rows/programs.ts'
import { USUAL } from './rows/usual.ts'

export const ALL_ROWS: readonly EffectRow[] = [
  ...USUAL,
  ...PROGRAMS,
  ...GIT,
  ...FILES,
  ...PROTECTED,
  ...READS,
  ...GIT_ESCAPES,
  ...VIEW_ESCAPES,
]
