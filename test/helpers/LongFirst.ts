import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Starts the long files first: one that starts last would run alone, while the other workers wait. */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted((a, b) => Number(isLong(b)) - Number(isLong(a)))
  }
}

function isLong({ moduleId }: TestSpecification): boolean {
  return /\.long\.test\.ts$|\/(?:goldenRuns|hookEndings|serverFaults)\.test\.ts$/.test(moduleId)
}
