import { isWithin } from '../../lib/fs/isWithin.ts'
import { isHostCovered, isHostDenied } from '../matchers/domain.ts'
import { isNameDenied } from '../matchers/name.ts'
import { parsePathPatterns } from '../matchers/parsePathPattern.ts'
import { isPathCovered, isPathDenied } from '../matchers/path.ts'
import type { Policy, Rule } from '../Policy.ts'
import { protectionsOf } from '../paths/protectedPaths.ts'
import { isOfPreset } from '../presets.ts'
import type { RuleSet } from '../rules/indexRules.ts'
import { candidates, type PathRule } from '../rules/pathRules.ts'

/** Sample names for a wildcard. No real rule names them. */
const FILLERS = ['q7w', 'zz9k']

/** A deny or ask rule on paths, hosts or names that matches every call of this rule. */
export function findWiderAgainst(policy: Policy, rules: RuleSet, { tool, target, list }: Rule): Rule | undefined {
  if (target.kind === 'domain') {
    const hosts = hostsOf(target.pattern)
    return rules.domains.find(({ pattern }) => hosts.every((host) => isHostDenied(pattern, host)))?.rule
  }
  if (target.kind === 'name') {
    const names = FILLERS.map((filler) => target.pattern.replaceAll('*', filler))
    return rules.names.get(tool)?.find(({ pattern }) => names.every((name) => isNameDenied(pattern, name)))?.rule
  }
  if (target.kind !== 'path') return undefined
  const sets = target.access === 'write' ? [rules.read, rules.write] : [rules.read]
  const found = parsePathPatterns(target.pattern, list, policy).map(({ base, glob }) => {
    const meets = (path: string): readonly PathRule[] =>
      sets.flatMap((set) => [...candidates(set, path)].filter(({ pattern }) => isPathDenied(pattern, path)))
    const samples = pathsOf(policy, base, glob)
    const [first = []] = samples.map(meets)
    return meets(base)[0] ?? first.find(({ pattern }) => samples.every((path) => isPathDenied(pattern, path)))
  })
  return found.includes(undefined) ? undefined : found[0]?.rule
}

/** An allow rule on paths or hosts that covers everything this one does; of two equal rules, the earlier. */
export function findWiderAllow(policy: Policy, rule: Rule): Rule | undefined {
  const isFirst = (other: Rule): boolean => policy.rules.indexOf(other) < policy.rules.indexOf(rule)
  return coversOf(policy, rule).find(
    (other) =>
      other !== rule &&
      other.line > 0 &&
      !isOfPreset(other) &&
      (isFirst(other) || coversOf(policy, other).every((each) => each !== rule)),
  )
}

/** The allow rules that cover everything a rule covers, including the rule itself. */
function coversOf(policy: Policy, { target }: Rule): readonly Rule[] {
  const { allow } = policy.index
  if (target.kind === 'domain') {
    const hosts = hostsOf(target.pattern)
    return allow.domains
      .filter(({ pattern }) => hosts.every((host) => isHostCovered(pattern, host)))
      .map(({ rule }) => rule)
  }
  if (target.kind !== 'path') return []
  const { access } = target
  const samples = parsePathPatterns(target.pattern, 'allow', policy).flatMap(({ base, glob, isFolder }) =>
    pathsOf(policy, base, glob).flatMap((path) => (isFolder ? [`${path}/${FILLERS[0]}`] : [path])),
  )
  // A rule that names a protected place opens it, even if another rule covers it.
  if (samples.some((path) => protectionsOf(path, access, policy.home).length > 0)) return []
  // Only of the same kind: a Read rule is useful next to an Edit rule that includes it, because it states the intent.
  const set = access === 'read' ? allow.read : allow.write
  const [first, ...others] = samples.map(
    (path) =>
      new Set(
        [...candidates(set, path)]
          .filter(({ pattern }) => isPathCovered(pattern, path, access))
          .map(({ rule }) => rule),
      ),
  )
  return [...(first ?? [])].filter((rule) => others.every((found) => found.has(rule)))
}

/** Sample paths that match the pattern, near and deep; none if a sample cannot represent the pattern. */
function pathsOf({ cwd }: Policy, base: string, glob: string): readonly string[] {
  const start = glob.startsWith('**') && isWithin(cwd, base) ? cwd : base
  if (glob === '') return [start]
  return FILLERS.map((filler) => {
    const deep = glob.replaceAll('**', `${filler}/${filler}`).replace(/\\(.)|\[[^\]]*\]|[*?]/g, (found, escaped) => {
      if (escaped !== undefined) return escaped
      return found === '*' ? filler : (/[^[!^\\]/.exec(found.replace('?', 'q'))?.[0] ?? 'q')
    })
    return `${start === '/' ? '' : start}/${deep}`
  })
}

function hostsOf(pattern: string): readonly string[] {
  if (pattern === '*') return FILLERS.map((filler) => `${filler}.${filler}`)
  return FILLERS.map((filler) => pattern.replaceAll('*', filler))
}
