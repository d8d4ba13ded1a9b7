import { unfollowed } from '../../files/resolvePath.ts'
import { caseFold } from '../matchers/caseFold.ts'
import { isPathDenied, type PathPattern } from '../matchers/path.ts'
import type { Policy } from '../Policy.ts'
import { pathCandidates } from '../rules/indexRules.ts'
import { judgeProtection, mayBeSecretName, protectionsOf } from './judgeProtection.ts'

/**
 * Whether commands find a place empty: a deny rule covers reading it, or its name is that of a secret and no allow rule
 * names it. Called for every file of a checkout, each folder before its content. A rule for every use of `Read` hides
 * nothing.
 */
export function isHiddenPlace(policy: Policy, path: string, kind: 'file' | 'folder'): boolean {
  if (policy.origin !== undefined && isHiddenPlace(policy.origin, path, kind)) return true
  for (const { pattern } of pathCandidates(policy.index.deny.read, path)) if (isPathDenied(pattern, path)) return true
  // A folder's name says something about its content, but nothing about itself.
  const asked = kind === 'folder' ? `${path}/any` : path
  if (protectionsOf(asked, 'read', policy.home).length === 0) return false
  const subject = { kind: 'path', access: 'read', path: unfollowed(asked), source: 'tool' } as const
  return judgeProtection(policy, subject) !== undefined
}

/** The same for a walk that enters no hidden folder. For nearly all paths, one look at the name is enough. */
export function createHiddenJudge(policy: Policy): (path: string, kind: 'file' | 'folder') => boolean {
  const patterns = deniedPatterns(policy)
  const names = new Set(patterns.flatMap(({ lastName }) => (lastName === undefined ? [] : [caseFold(lastName)])))
  const bases = new Set(patterns.flatMap(({ glob, base }) => (glob === '' ? [caseFold(base)] : [])))
  const others = patterns.filter(({ glob, lastName }) => glob !== '' && lastName === undefined)
  return (path, kind) => {
    const name = path.slice(path.lastIndexOf('/') + 1)
    const isAsked =
      mayBeSecretName(name) ||
      (names.size > 0 && names.has(caseFold(name))) ||
      (bases.size > 0 && bases.has(caseFold(path))) ||
      others.some((pattern) => isPathDenied(pattern, path))
    return isAsked && isHiddenPlace(policy, path, kind)
  }
}

function deniedPatterns({ index, origin }: Policy): readonly PathPattern[] {
  return [...(origin === undefined ? [] : deniedPatterns(origin)), ...index.deny.read.all.map(({ pattern }) => pattern)]
}

/** The places that Read deny rules name without a wildcard, wherever they are. */
export function namedSecrets(policy: Policy): readonly string[] {
  const inherited = policy.origin === undefined ? [] : namedSecrets(policy.origin)
  const own = policy.index.deny.read.all.flatMap(({ pattern }) => (pattern.glob === '' ? [pattern.base] : []))
  return [...new Set([...inherited, ...own])]
}
