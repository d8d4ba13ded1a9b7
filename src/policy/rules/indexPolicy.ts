import type { Links, Policy, Rule } from '../Policy.ts'
import { createLinkResolver } from '../paths/createLinkResolver.ts'
import { indexRules } from './indexRules.ts'

type Parts = Pick<Policy, 'cwd' | 'home'> & { readonly rules: readonly Rule[]; readonly before?: Links }

/** The rules ready to decide, with the places that their folders lead to now, added to those of `before`. */
export function indexPolicy({ rules, cwd, home, before }: Parts): Pick<Policy, 'index' | 'links'> {
  const follow = createLinkResolver()
  const links = new Map<string, readonly string[]>()
  const resolve = (folder: string): readonly string[] => {
    const earlier = links.get(folder) ?? before?.get(folder) ?? []
    const now = follow(folder)
    const targets = earlier.includes(now) ? earlier : [...earlier, now]
    links.set(folder, targets)
    return targets
  }
  return { index: indexRules(rules, { cwd, home, resolve }), links }
}

/**
 * The policy itself, or an extended copy after a link was made or moved. What a rule denies through a link stays denied
 * at every place the link has led to since the start. Call it before every decision of a run.
 */
export function followLinks(policy: Policy): Policy {
  const { links, origin, rules, cwd, home } = policy
  const first = origin === undefined ? undefined : followLinks(origin)
  const follow = createLinkResolver()
  const isSame = [...links].every(([folder, targets]) => targets.includes(follow(folder)))
  if (isSame && first === origin) return policy
  return {
    ...policy,
    ...(isSame ? {} : indexPolicy({ rules: policy.indexed ?? rules, cwd, home, before: links })),
    ...(first === undefined ? {} : { origin: first }),
  }
}
