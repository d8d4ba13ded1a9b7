import { analyzeCommand } from '../../shell/analyzeCommand.ts'

/** Programs that destroy the content of their arguments. */
const REMOVERS = ['rm', 'rmdir', 'unlink', 'shred', 'truncate', 'dd']
/** Git commands that discard changes in the work tree. */
const GIT_REMOVERS = ['clean', 'reset', 'restore', 'checkout', 'rm']

/**
 * True for a line whose words suggest that content is lost. Only for reports: permissions depend on the actual changes.
 */
export function isDestructive(command: string): boolean {
  const forms = (path: string) => ({ given: path, lexical: path, resolved: path, physical: path })
  const { subjects } = analyzeCommand(command, { cwd: '/', root: '/', home: '/', resolve: forms })
  return subjects.some((subject) => {
    if (subject.kind !== 'command') return false
    const [name = '', first = ''] = (subject.chain.at(-1)?.argv ?? []).map((word) =>
      word.kind === 'literal' ? word.value : '',
    )
    return REMOVERS.includes(name) || (name === 'git' && GIT_REMOVERS.includes(first))
  })
}
