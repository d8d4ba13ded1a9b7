/** The parts of a repository, ordered so that each refers only to earlier ones; gitrepository-layout(5). */
const LAST = /(?:^|\/)(?:refs|logs)\/|(?:^|\/)(?:HEAD|ORIG_HEAD|FETCH_HEAD|MERGE_HEAD|packed-refs|index)$/

/**
 * When a path is taken over: objects first, names last. So a repository is complete at any instant. `isGit` identifies
 * the paths of repositories.
 */
export function gitOrder(path: string, isGit: (path: string) => boolean): number {
  if (!isGit(path)) return 1
  if (/\/objects(?:\/|$)/.test(path)) return 0
  return LAST.test(path) ? 3 : 2
}
