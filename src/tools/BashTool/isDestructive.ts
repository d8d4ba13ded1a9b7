import { analyzeCommand } from '../../shell/analyzeCommand.ts'

/** Programs that destroy the content of their arguments. */
const REMOVERS = ['rm', 'rmdir', 'unlink', 'shred', 'truncate', 'dd']
/** Git subcommands that discard changes or commits; `checkout -b` and the like only add a branch. */
const GIT_REMOVERS = ['clean', 'reset', 'restore', 'checkout', 'rm', 'stash']
const ADDS_BRANCH = ['-b', '-B', '--orphan']

/**
 * True for a line whose words suggest that content is lost. Only for reports: permissions depend on the actual changes.
 */
export function isDestructive(command: string): boolean {
  const forms = (path: string) => ({ given: path, lexical: path, resolved: path, physical: path })
  const { subjects } = analyzeCommand(command, { cwd: '/', root: '/', home: '/', resolve: forms })
  return subjects.some((subject) => {
    if (subject.kind !== 'command') return false
    const words = subject.chain.at(-1)?.argv ?? []
    return isRemoval(words.map((word) => (word.kind === 'literal' ? word.value : '')))
  })
}

function isRemoval([name = '', first = '', ...rest]: readonly string[]): boolean {
  if (REMOVERS.includes(name)) return true
  if (name === 'find') return rest.includes('-delete')
  if (name !== 'git') return false
  if (first === 'branch') return [...rest].some((word) => /^-[dD]$|^--delete$/.test(word))
  if (first === 'push') return rest.some((word) => /^(-f|--force.*|--delete|-d)$/.test(word))
  return GIT_REMOVERS.includes(first) && !ADDS_BRANCH.includes(rest[0] ?? '')
}
