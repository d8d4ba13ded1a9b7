import type { EffectRow } from './EffectRow.ts'
import { PROGRAMS } from './rows/programs.ts'
import { USUAL } from './rows/usual.ts'

export const ALL_ROWS: readonly EffectRow[] = [...USUAL, ...PROGRAMS]
