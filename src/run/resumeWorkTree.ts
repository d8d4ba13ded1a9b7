import type { Config } from '../config/resolveConfig.ts'
import { RunError } from '../contracts/errors.ts'
import type { WorkTree } from '../lib/workTree.ts'
import type { Resumed } from './loadResumed.ts'

/**
 * Brings the work tree to where the old run left it (`--apply-patch`), or looks whether it is there already; then the patch
 * of the new run holds the changes of both. What does not fit is a warning; a patch that was asked for and cannot be
 * applied throws `bad_input`.
 */
export async function resumeWorkTree(workTree: WorkTree, resumed: Resumed, config: Config): Promise<string[]> {
  const { patch, base, event } = resumed
  const warnings: string[] = []
  if (base !== workTree.commit) {
    warnings.push(`The run began at commit ${base ?? '(none)'}, and ${workTree.commit ?? '(none)'} is checked out now.`)
  }
  if (config.applyPatch) {
    if (event.from.exit_reason === null) throw refusal('the run was killed before it could record its changes')
    if (patch === null || patch === '') return warnings
    const problem = await workTree.apply(patch)
    if (problem !== null) throw refusal(problem)
  } else if (patch !== null && patch !== '' && !(await workTree.rewind(patch))) {
    warnings.push('The work tree is not as the run left it. On a fresh checkout, --apply-patch brings its changes.')
  }
  return warnings
}

function refusal(why: string): RunError {
  return new RunError('bad_input', `--apply-patch: ${why}.`)
}
