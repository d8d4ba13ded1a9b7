import { relative } from 'node:path'
import { isWithin } from '../../lib/fs/isWithin.ts'
import { expandBraces } from '../../lib/text/expandBraces.ts'
import { escapeGlob } from '../matchers/globs.ts'
import type { Policy, Rule } from '../Policy.ts'
import { indexPolicy } from '../rules/indexPolicy.ts'

/**
 * The same rules anchored at another root, for a run that moves into a worktree. What they deny or ask about at the
 * first root still holds. It also holds for the copies at the new root: of the policy, of the records, and of what a
 * rule names from the root of the machine or from home.
 */
export function anchorPolicy(policy: Policy, cwd: string): Policy {
  const origin = policy.origin ?? policy
  const { rules, home } = policy
  const moved = rules.flatMap((rule) => movedRules(rule, origin))
  const indexed = [...rules, ...moved]
  const copies = [...origin.files, ...origin.untouchable]
    .filter((path) => path !== origin.cwd && isWithin(path, origin.cwd))
    .map((path) => `${cwd}/${relative(origin.cwd, path)}`)
  const untouchable = [...new Set([...policy.untouchable, ...copies])]
  return { ...policy, cwd, origin, ...indexPolicy({ rules: indexed, cwd, home }), indexed, untouchable }
}

/** A deny or ask rule on absolute places of the first root, rewritten for the new root. */
function movedRules(rule: Rule, { cwd, home }: Policy): readonly Rule[] {
  const { target } = rule
  if (rule.list === 'allow' || target.kind !== 'path') return []
  const start = `${escapeGlob(cwd)}/`
  return expandBraces(target.pattern.trim(), MAX_ALTERNATIVES).flatMap((pattern): readonly Rule[] => {
    const absolute = pattern.startsWith('~/') ? `${escapeGlob(home)}${pattern.slice(1)}` : pattern.replace(/^\/\//, '/')
    const isAbsolute = pattern.startsWith('//') || pattern.startsWith('~/')
    if (!isAbsolute || !absolute.startsWith(start)) return []
    return [{ ...rule, target: { ...target, pattern: `/${absolute.slice(start.length)}` } }]
  })
}

const MAX_ALTERNATIVES = 256
