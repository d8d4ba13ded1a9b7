import type { PathForms, Subject } from '../contracts/subject.ts'

type Resolve = (path: string, cwd?: string) => PathForms

/**
 * Resolves paths for a call that was judged. A path among its subjects keeps the forms that the rules checked, so a
 * link that changes afterwards cannot redirect the call. The guard then refuses what is no longer there.
 */
export function resolveAsJudged(subjects: readonly Subject[], resolve: Resolve): Resolve {
  const judged = new Map(
    subjects.flatMap((subject) => (subject.kind === 'path' ? [[subject.path.given, subject.path]] : [])),
  )
  return (path, cwd) => (cwd === undefined ? judged.get(path) : undefined) ?? resolve(path, cwd)
}
