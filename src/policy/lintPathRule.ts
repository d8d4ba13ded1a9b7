import { isWithin } from '../lib/isWithin.ts'
import type { Remark } from './lintPolicy.ts'
import { parsePathPatterns } from './matchers/parsePathPattern.ts'
import type { Policy, Rule } from './Policy.ts'

/** Folders of the machine that are seldom meant to be inside a project. */
const SYSTEM_FOLDERS = /^\/(?:etc|home|Users|root|tmp|usr|var|opt|mnt|srv|proc|sys|dev|private)(?:\/|$)/

/** Places below which a protection may be meant. */
const HOLDERS: ReadonlyMap<string, string> = new Map([
  ['.github', '.github/workflows'],
  ['.git', '.git/hooks'],
])

/** Remarks on rules for files. */
export function lintPathRule(policy: Policy, rule: Rule): readonly Remark[] {
  const { target, list, tool } = rule
  if (target.kind === 'bare' && list === 'allow' && (tool === 'Edit' || tool === 'Read')) {
    const does = tool === 'Edit' ? 'writing' : 'reading'
    return [{ message: `allows ${does} everywhere on the machine`, edit: `${tool}(./**)` }]
  }
  if (target.kind !== 'path') return []
  const slip = slipOf(target.pattern, tool)
  if (slip !== undefined) return [slip]
  if (SYSTEM_FOLDERS.test(target.pattern)) {
    return [
      {
        message: 'one slash starts at the project root; two start at the root of the machine',
        edit: `${tool}(/${target.pattern})`,
      },
    ]
  }
  if (list !== 'allow') return []
  const bases = parsePathPatterns(target.pattern, list, policy).map(({ base }) => base)
  const isFar = (base: string): boolean => base !== policy.cwd && isWithin(policy.cwd, base)
  if (bases.some((base) => isFar(base) || base === policy.home)) {
    return [{ message: 'reaches far outside the project; name the folder', edit: `${tool}(./**)` }]
  }
  const held = bases.map((base) => HOLDERS.get(base.slice(policy.cwd.length + 1))).find((name) => name !== undefined)
  if (held !== undefined && target.access === 'write')
    return [
      { message: `does not open ${held}, which is protected; a rule that names it does`, edit: `Edit(${held}/**)` },
    ]
  return []
}

/** A list or a blank in one rule, where it is hardly a part of a name. */
function slipOf(pattern: string, tool: string): Remark | undefined {
  const rule = (path: string): string => `${tool}(${path})`
  if (/\/\s|\s\//.test(pattern)) {
    return { message: 'a blank would be a part of the name', edit: rule(pattern.replace(/\s*\/\s*/g, '/')) }
  }
  const paths = pattern
    .replace(/\{[^}]*\}/g, (braces) => braces.replaceAll(',', '\0'))
    .split(/\s*(?<!\\)[,|;]\s*/)
    .map((path) => path.replaceAll('\0', ','))
  if (paths.length < 2 || paths.includes('')) return undefined
  return { message: 'this is one name; write a rule for each path', edit: paths.map(rule).join(' and ') }
}
