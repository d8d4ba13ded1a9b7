/** Where and when a run works; unknown facts are left out. */
export type EnvironmentFacts = {
  readonly date: Date
  /** `linux 6.1.0`. */
  readonly system: string
  /** A branch, or `detached`; undefined outside of git. */
  readonly branch?: string | undefined
  readonly commit?: string | null
  /** Tracked files that differ from git's version; undefined if unknown. */
  readonly changed?: readonly string[] | undefined
}

const MAX_NAMES = 10

/**
 * The facts as part of the first message. They are not in the system prompt, which is the same for every run and
 * cached.
 */
export function environmentNote({ date, system, branch, commit, changed }: EnvironmentFacts): string {
  const lines = [`Date: ${date.toISOString().slice(0, 10)} (UTC)`, `System: ${system}; commands run in bash`]
  if (branch === undefined) lines.push('Git: this is not a git repository')
  else if (typeof commit !== 'string') lines.push(`Git: branch ${branch}, no commit yet`)
  else lines.push(`Git: ${branch === 'detached' ? 'no branch (detached HEAD)' : `branch ${branch}`}, commit ${commit}`)
  if (changed !== undefined && branch !== undefined) lines.push(`Changed files that are not staged: ${listOf(changed)}`)
  return `<environment>\n${lines.join('\n')}\n</environment>`
}

function listOf(names: readonly string[]): string {
  if (names.length === 0) return 'none'
  const more = names.length > MAX_NAMES ? `, and ${names.length - MAX_NAMES} more` : ''
  return `${names.slice(0, MAX_NAMES).join(', ')}${more}`
}
