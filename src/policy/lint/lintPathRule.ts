import { isFolder } from '../../lib/fs/folders.ts'
import { isWithin } from '../../lib/fs/isWithin.ts'
import { expandBraces } from '../../lib/text/expandBraces.ts'
import { type PathPattern, parsePathPatterns } from '../matchers/parsePathPattern.ts'
import type { Policy, Rule } from '../Policy.ts'
import { isKernelPath } from '../paths/protectedPaths.ts'
import { familyOf } from '../rules/toolNames.ts'
import type { Remark } from './lintPolicy.ts'

/** Machine folders that are rarely meant to be inside a project. */
const SYSTEM_FOLDERS = /^\/(?:etc|home|Users|root|tmp|usr|var|opt|mnt|srv|proc|sys|dev|private)(?:\/|$)/

/** Places that a deny rule often means to protect. */
const HOLDERS: ReadonlyMap<string, string> = new Map([
  ['.github', '.github/workflows'],
  ['.git', '.git/hooks'],
])

/** Remarks on rules for files. */
export function lintPathRule(policy: Policy, rule: Rule): readonly Remark[] {
  const { target, list, tool } = rule
  const family = target.kind === 'bare' && list === 'allow' ? familyOf(tool) : undefined
  if (family !== undefined) {
    const does = family === 'Edit' ? 'writing' : 'reading'
    return [{ message: `allows ${does} everywhere on the machine`, edit: `${family}(./**)` }]
  }
  if (target.kind !== 'path') return []
  const slip = slipOf(target.pattern, tool)
  if (slip !== undefined) return [slip]
  if (expandBraces(target.pattern.trim(), MAX_ALTERNATIVES).some((pattern) => SYSTEM_FOLDERS.test(pattern))) {
    return [
      {
        message: 'one slash starts at the project root; two start at the root of the machine',
        ...(target.pattern.startsWith('/') ? { edit: `${tool}(/${target.pattern})` } : {}),
      },
    ]
  }
  if (list !== 'allow') return []
  const patterns = parsePathPatterns(target.pattern, list, policy)
  const bases = patterns.map(({ base }) => base)
  if (bases.some(isKernelPath)) return [{ message: 'no tool opens files of /proc, /sys and /dev' }]
  const isFar = (base: string): boolean => base !== policy.cwd && isWithin(policy.cwd, base)
  if (bases.some((base) => isFar(base) || base === policy.home)) {
    return [{ message: 'reaches far outside the project; name the folder', edit: `${tool}(./**)` }]
  }
  const held = bases.map((base) => HOLDERS.get(base.slice(policy.cwd.length + 1))).find((name) => name !== undefined)
  if (held !== undefined && target.access === 'write')
    return [
      { message: `does not open ${held}, which is protected; a rule that names it does`, edit: `Edit(${held}/**)` },
    ]
  return [...lintSets(target.pattern, tool), ...lintFolder(policy, rule, patterns)]
}

/** `[id]` of a router is meant as a name but parsed as a set of characters. */
function lintSets(pattern: string, tool: string): readonly Remark[] {
  const set = /(?:^|\/)\[(\.{0,3}[A-Za-z][\w-]+)\](?=[/.]|$)/.exec(pattern)?.[1]
  const isSet = set === undefined || /\w-\w/.test(set) || new Set(set.toLowerCase()).size === 1
  if (isSet) return []
  const edit = `${tool}(${pattern.replace(/(?<!\\)[[\]]/g, '\\$&')})`
  return [{ message: `\`[${set}]\` is a set of characters, not the name of a folder`, edit }]
}

/** A folder without the files below it. */
function lintFolder({ cwd }: Policy, { target, tool }: Rule, patterns: readonly PathPattern[]): readonly Remark[] {
  const isPlain = patterns.some(({ base, glob, isFolder: isWhole, literal }) => {
    const place = glob === `**/${literal.slice(cwd.length + 1)}` ? literal : glob === '' ? base : undefined
    return place !== undefined && !isWhole && isFolder(place)
  })
  if (!isPlain || target.kind !== 'path') return []
  return [{ message: 'names the folder but no file in it', edit: `${tool}(${target.pattern.trim()}/**)` }]
}

const MAX_ALTERNATIVES = 256

/** A list or a space in a rule, which is unlikely to be part of a name. */
function slipOf(pattern: string, tool: string): Remark | undefined {
  const rule = (path: string): string => `${tool}(${path})`
  if (/\/\s|\s\//.test(pattern)) {
    return { message: 'a space is part of the name', edit: rule(pattern.replace(/\s*\/\s*/g, '/')) }
  }
  const paths = pattern
    .replace(/\{[^}]*\}/g, (braces) => braces.replaceAll(',', '\0'))
    .split(/\s*(?<!\\)[,|;]\s*/)
    .map((path) => path.replaceAll('\0', ','))
  if (paths.length < 2 || paths.includes('')) return undefined
  return { message: 'this is one name; write a rule for each path', edit: paths.map(rule).join(' and ') }
}
