import type { Lab } from '../openLab.ts'

/** One fault of the matrix: what is done, what must be seen of it. */
export type FaultRow = {
  /** The number in the matrix; a letter where one number has several cases. */
  readonly row: string
  readonly group: 'A' | 'B' | 'C' | 'D' | 'E' | 'F' | 'G' | 'H' | 'I' | 'K'
  readonly injected: string
  /** In the words of `play`, letter for letter. */
  readonly expected: string
  /** True: played by `npm run faults -- --all` only. */
  readonly isLong?: boolean
  /** Why it cannot be played on this machine. */
  skip?(): string | undefined
  /** Does it, and says what was seen. */
  play(lab: Lab): Promise<string>
}
