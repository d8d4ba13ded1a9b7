import type { Turn } from '../../../src/model/replay/renderTurn.ts'
import type { Step } from '../../helpers/model/messagesServer.ts'
import type { Lab, LabRunOptions } from '../openLab.ts'

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

/** A fault that lies in the answers of the server alone. */
export type AnswerFault = Pick<FaultRow, 'row' | 'injected' | 'expected'> & {
  readonly steps: readonly (Step | Turn)[]
  readonly options?: LabRunOptions
}

/** The same step so many times. */
export function times<Item>(count: number, item: Item): Item[] {
  return Array.from({ length: count }, () => item)
}
