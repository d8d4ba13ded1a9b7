import type { ReadStamp } from '../contracts/files.ts'

/** Notes what the model knows of a file. The file that was noted last comes last, also if it was known before. */
export function noteStamp(readFileState: Map<string, ReadStamp>, path: string, stamp: ReadStamp): void {
  readFileState.delete(path)
  readFileState.set(path, stamp)
}
