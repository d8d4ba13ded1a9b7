/** The parts of a repository in the order in which they may refer to each other; gitrepository-layout(5). */
const LAST = /(?:^|\/)(?:refs|logs)\/|(?:^|\/)(?:HEAD|ORIG_HEAD|FETCH_HEAD|MERGE_HEAD|packed-refs|index)$/

/**
 * When a path is taken over: objects first and what names them last, so that a repository is whole at any instant. `isGit`
 * tells the paths of repositories from others.
 */
export function gitOrder(path: string, isGit: (path: string) => boolean): number {
  if (!isGit(path)) return 1
  if (/\/objects(?:\/|$)/.test(path)) return 0
  return LAST.test(path) ? 3 : 2
}
