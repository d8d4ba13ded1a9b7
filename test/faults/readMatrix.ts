import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { rowsOfText } from '../helpers/rowsOfText.ts'
import { mountProblem, processGroupProblem, sandboxProblem, straceProblem } from './machine.ts'
import type { Lab } from './openLab.ts'

/** Does what a row injects, and says what was seen, in the words of the matrix. */
export type Play = (lab: Lab) => Promise<string>

export type Plays = Readonly<Record<string, Play>>

/** One fault of the matrix: what is done, what must be seen of it. */
export type FaultRow = {
  /** The number in the matrix; a letter where one number has several cases. */
  readonly row: string
  readonly group: string
  readonly injected: string
  /** In the words of `play`, letter for letter. */
  readonly expected: string
  /** True: played by `npm run faults -- --all` only. */
  readonly isLong: boolean
  /** Why it cannot be played on this machine. */
  readonly problem: string | undefined
  readonly play: Play
}

/** What a row may need, and why it is not to be had here. */
const NEEDS: Readonly<Record<string, () => string | undefined>> = {
  mount: mountProblem,
  strace: straceProblem,
  sandbox: sandboxProblem,
  processes: processGroupProblem,
  'no root': () => (process.getuid?.() === 0 ? 'not as root' : undefined),
}

const ROW = /^([^:(]+?)(?: \((long)?(?:; )?(?:needs ([^)]*))?\))?: (.*?) => (.*)$/

/** The rows of matrix.txt: `ROW (long; needs NEEDS): INJECTED => EXPECTED`. Each has its play, and each play its row. */
export function readMatrix(plays: Readonly<Record<string, Plays>>): FaultRow[] {
  const text = readFileSync(join(import.meta.dirname, 'matrix.txt'), 'utf8')
  const rows = rowsOfText(text).map(({ group: heading, line, below }): FaultRow => {
    const group = heading[0] ?? ''
    const [whole, row = '', long, needs, injected = '', expected = ''] = ROW.exec([line, ...below].join(' ')) ?? []
    const play = plays[group]?.[row]
    if (whole === undefined || play === undefined) throw new Error(`nothing plays ${line}`)
    const problem = needs
      ?.split(', ')
      .map((need) => NEEDS[need]?.())
      .find((one) => one !== undefined)
    return { row, group, injected, expected, isLong: long !== undefined, problem, play }
  })
  for (const [group, names] of Object.entries(plays))
    for (const name of Object.keys(names))
      if (!rows.some((each) => each.group === group && each.row === name)) throw new Error(`not in the matrix: ${name}`)
  return rows
}
