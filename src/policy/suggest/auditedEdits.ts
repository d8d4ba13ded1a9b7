import type { EffectsReport } from '../../contracts/effects.ts'
import type { Policy } from '../Policy.ts'
import { judgePath } from '../paths/judgePath.ts'
import { writesOf } from '../paths/refuseEffects.ts'
import { suggestRules } from './suggestRules.ts'

/** More paths are not listed one by one. */
const MOST = 20

/** The Edit rules that a command's kept changes would have needed without `--audit`. */
export function auditedEdits(policy: Policy, { kept }: EffectsReport): readonly string[] {
  const judge = { policy, home: policy.home, workingDirectories: [policy.cwd] }
  const paths = kept.flatMap(({ path, entry }) =>
    entry === 'folder' || path.includes('/.git/') || judgePath(judge, path, 'write') === 'allow' ? [] : [path],
  )
  const { rules } = suggestRules(policy, writesOf(policy, paths))
  return rules.map(({ rule }) => rule).slice(0, MOST)
}
