import { relative } from 'node:path'
import { isWithin } from '../lib/isWithin.ts'
import { escapeGlob } from './escapeGlob.ts'
import { indexPolicy } from './indexPolicy.ts'
import { expandBraces } from './matchers/expandBraces.ts'
import type { Policy, Rule } from './Policy.ts'

/**
 * The same rules anchored at another root: what a run does that moves into a work tree. What they deny or ask about at the
 * first root stays denied and asked about, and so do the copies that stand at the new root: of the policy, of the records,
 * and of what a rule names from the root of the machine or from home.
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

/** A rule against absolute places of the first root, as the new root has them. */
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
