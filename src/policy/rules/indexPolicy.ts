import { lstatSync, realpathSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { resolvePath } from '../../files/resolvePath.ts'
import { isWithin } from '../../lib/fs/isWithin.ts'
import { expandBraces } from '../../lib/text/expandBraces.ts'
import { escapeGlob } from '../matchers/globs.ts'
import { MAX_ALTERNATIVES } from '../matchers/path.ts'
import type { Links, Policy, Rule } from '../Policy.ts'
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

/** The same policy with more rules, as if they were in its file. */
export function withRules(policy: Policy, more: readonly Rule[]): Policy {
  const { rules: before, indexed = before, cwd, home, links } = policy
  const rules = [...indexed, ...more]
  return { ...policy, rules: [...before, ...more], indexed: rules, ...indexPolicy({ rules, cwd, home, before: links }) }
}

type Place = { readonly path: string; readonly isThere: boolean }

/**
 * A function that resolves absolute paths, even if their end does not exist yet. It checks each folder once, so a
 * thousand rules cost little. Make a new one for fresh results.
 */
export function createLinkResolver(): (path: string) => string {
  const known = new Map<string, Place>([['/', { path: '/', isThere: true }]])
  const placeOf = (path: string): Place => {
    const found = known.get(path) ?? lookUp(path, placeOf(dirname(path)))
    known.set(path, found)
    return found
  }
  return (path) => placeOf(path).path
}

function lookUp(path: string, folder: Place): Place {
  const plain = join(folder.path, basename(path))
  if (!folder.isThere) return { path: plain, isThere: false }
  try {
    const stat = lstatSync(plain, { throwIfNoEntry: false })
    if (stat?.isSymbolicLink() !== true) return { path: plain, isThere: stat?.isDirectory() === true }
    return { path: realpathSync.native(plain), isThere: true }
  } catch {
    const { resolved } = resolvePath(plain, '/', '/')
    return { path: resolved, isThere: false }
  }
}

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
