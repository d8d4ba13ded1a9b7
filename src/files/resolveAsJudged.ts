import type { PathForms, Subject } from '../contracts/subject.ts'

type Resolve = (path: string, cwd?: string) => PathForms

/**
 * Resolves paths for a call that was judged: a path among its subjects keeps the forms that the rules looked at, so a link
 * that is changed afterwards leads the call nowhere else. The guard then refuses what no longer stands there.
 */
export function resolveAsJudged(subjects: readonly Subject[], resolve: Resolve): Resolve {
  const judged = new Map(
    subjects.flatMap((subject) => (subject.kind === 'path' ? [[subject.path.given, subject.path]] : [])),
  )
  return (path, cwd) => (cwd === undefined ? judged.get(path) : undefined) ?? resolve(path, cwd)
}
