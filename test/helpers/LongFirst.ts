import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Starts the long files first: one that starts last would run alone. A file that plays a text is longer than it looks. */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted((a, b) => Number(isLong(b)) - Number(isLong(a)))
  }
}

const LONG = /\.long\.test\.ts$|\/(?:goldenRuns|hookEndings|serverFaults|scenes|openCheckoutWatch)\.test\.ts$/

function isLong({ moduleId }: TestSpecification): boolean {
  return LONG.test(moduleId)
}
