import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EffectRow } from './EffectRow.ts'
import { readRows } from './readRows.ts'

const WORK = ['usual', 'programs', 'git', 'gitHistory', 'files', 'ignoredFiles', 'places', 'reads']
const ESCAPES = ['escapeGit', 'escapeObjects', 'escapeView', 'escapeFiles', 'escapeProcesses']

export const ALL_ROWS: readonly EffectRow[] = [...WORK, ...ESCAPES].flatMap((name) =>
  readRows(readFileSync(join(import.meta.dirname, `rows/${name}.txt`), 'utf8')),
)

export const nameOf = ({ group, row }: EffectRow): string => `${group} › ${row}`
