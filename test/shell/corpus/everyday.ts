import { readFileSync } from 'node:fs'
import { type Row, readRows } from './readRows.ts'

/** A small project with the programs an agent calls, and its rules. */
const PROJECT = readFileSync(new URL('rows/everydayProject.txt', import.meta.url), 'utf8')

/** Lines of ordinary work that the rules of an ordinary project allow. The order decides which lines the oracle generates. */
export const EVERYDAY: readonly Row[] = [
  ...readRows('everydayOutputs'),
  ...['Places', 'Tools', 'Words', 'Lines', 'Repository'].flatMap((name) => readRows(`everyday${name}`, PROJECT)),
]

/** The same of git. */
export const GIT_EVERYDAY: readonly Row[] = readRows('everydayGit')
