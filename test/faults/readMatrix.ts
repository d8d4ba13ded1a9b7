import { readFileSync } from 'node:fs'
import { join } from 'node:path'
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

const ROW = /^([^:(\n]+?)(?: \((long)?(?:; )?(?:needs ([^)]*))?\))?: (.*?)(?:\n {2})? ?=> (.*)$/gm

/** The rows of matrix.txt: `ROW (long; needs NEEDS): INJECTED => EXPECTED`. Each has its play, and each play its row. */
export function readMatrix(plays: Readonly<Record<string, Plays>>): FaultRow[] {
  const groups = readFileSync(join(import.meta.dirname, 'matrix.txt'), 'utf8').split('\n\n')
  return groups.flatMap((text) => {
    const group = text[1] ?? ''
    const rows = [...text.matchAll(ROW)].map(([, row = '', long, needs, injected = '', expected = '']): FaultRow => {
      const problems = (needs?.split(', ') ?? []).map((need) => NEEDS[need]?.())
      const problem = problems.find((one) => one !== undefined)
      const play = plays[group]?.[row] ?? (async () => 'nothing plays it')
      return { row, group, injected, expected, isLong: long !== undefined, problem, play }
    })
    const unknown = Object.keys(plays[group] ?? {}).filter((name) => rows.every(({ row }) => row !== name))
    if (unknown.length > 0) throw new Error(`not in the matrix: ${unknown.join(', ')}`)
    return rows
  })
}
