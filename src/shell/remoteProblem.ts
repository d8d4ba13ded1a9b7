import type { Word } from '../contracts/subject.ts'
import { findRepositories } from './findRepositories.ts'
import { findSubcommand } from './gitProblem.ts'

/** True for a file or folder of this name, seen from the project root. */
type Exists = (path: string) => boolean

/**
 * Why a git command may talk to a repository that is no remote: to push into a folder runs its hooks, and what its settings
 * name; from a folder or a bundle anything may come. Addresses of other machines are none, nor is the own repository `.` to
 * fetch from. What a remote is to stand for may become a folder later, whatever it is now.
 */
export function remoteProblem(argv: readonly Word[], exists: Exists): string | undefined {
  const { repositories, isClone, isKept } = findRepositories(argv)
  const isServed = isKept || SERVED.has(findSubcommand(argv).subcommand ?? '')
  for (const word of repositories) {
    if (word.kind !== 'literal') return 'git with a repository that is known only when it runs'
    if ((word.value === '.' && !isServed) || word.value === '') continue
    const isThere = (): boolean => ENDS.some((end) => exists(`${word.value.replace(/\/+$/, '')}${end}`))
    if (
      isFolder(word.value) ||
      (isKept && !isAddress(word.value)) ||
      ((isClone || !isAddress(word.value)) && isThere())
    ) {
      return `git with ${word.value} as a repository: what stands in a folder may run programs; name a remote or a URL`
    }
  }
  return undefined
}

/** Git's other end runs hooks and settings of the repository, without what a run sets against them. */
const SERVED = new Set(['push', 'archive'])

/** What git looks for of a name. */
const ENDS = ['', '.git', '.bundle']

/** The names of remotes that a git command uses: each would be a folder if no remote were called so. */
export function remoteNames(argv: readonly Word[]): readonly string[] {
  return findRepositories(argv).repositories.flatMap((word) =>
    word.kind === 'literal' && /^[^/:]+$/.test(word.value) && !/^(?:\.|\d+)$/.test(word.value) ? [word.value] : [],
  )
}

/** What git takes for a path whatever is configured. */
function isFolder(value: string): boolean {
  return /^(?:file:|[.~/])/i.test(value) || (!isAddress(value) && /[/:]/.test(value))
}

/** `https://…`, `git@host:path`. Other schemes are programs. */
function isAddress(value: string): boolean {
  return /^(?:https?|ssh|git|git\+ssh|ssh\+git):\/\//i.test(value) || /^[\w.@-]+:(?!:|\/\/)/.test(value)
}
