import type { SubjectVerdict } from '../../contracts/decision.ts'
import type { PathSubject } from '../../contracts/subject.ts'
import { isWithin } from '../../lib/fs/isWithin.ts'
import { caseFold } from '../matchers/caseFold.ts'
import { findPathRules } from '../matchers/index.ts'
import { formsOf } from '../matchers/path.ts'
import type { Policy } from '../Policy.ts'
import { isHarmlessDevice, isKernelPath, type Protection, protectionsOf } from './protectedPaths.ts'

type Verdict = Pick<SubjectVerdict, 'behavior' | 'reason'>

/**
 * What the built-in protections say about a path; undefined if they do not apply, or a rule names the place exactly.
 */
export function judgeProtection(policy: Policy, subject: PathSubject): Verdict | undefined {
  if (subject.source !== 'tool' && isHarmlessDevice(subject.path.lexical)) return undefined
  for (const form of formsOf(subject.path)) {
    const never = judgeNever(policy, subject, form)
    if (never !== undefined) return { behavior: 'deny', reason: { type: 'protected', path: form, detail: never } }
    const protections = protectionsAt(policy, form, subject.access)
    const [first] = protections
    if (!first || isNamed(policy, subject, form)) continue
    const detail = `${first.name} is protected: ${first.why}`
    return { behavior: 'ask', reason: { type: 'protected', path: form, detail } }
  }
  return undefined
}

/** Places that no rule can open. */
function judgeNever(policy: Policy, subject: PathSubject, form: string): string | undefined {
  const { access, source } = subject
  if (source === 'tool' && isKernelPath(form)) return 'no tool opens files of /proc, /sys and /dev'
  if (access === 'read') return undefined
  const text = caseFold(form)
  return oursOf(policy).some((path) => isWithin(text, path)) ? NEVER_WRITTEN : undefined
}

const folded = new WeakMap<Policy, readonly string[]>()

function oursOf(policy: Policy): readonly string[] {
  const known = folded.get(policy)
  if (known !== undefined) return known
  const ours = [...policy.files, ...policy.untouchable].map(caseFold)
  folded.set(policy, ours)
  return ours
}

const NEVER_WRITTEN =
  'the policy, its plugins, the records of the run and the command files of the runner are never written'

/** The protections of a place. Those of settings in the home folder do not apply if the project is there. */
function protectionsAt(policy: Policy, path: string, access: PathSubject['access']): readonly Protection[] {
  const { cwd, home, settings } = policy
  const found = protectionsOf(path, access, home)
  if (access === 'read' || !isWithin(path, home)) return found
  if ([cwd, ...settings.additionalDirectories].some((folder) => isWithin(path, folder))) return found
  if (path === home) return [...found, { ...HOME, name: '~' }]
  return /^\/(?:\.|bin(?:\/|$))/.test(path.slice(home.length)) ? [...found, HOME] : found
}

const HOME: Protection = { name: '~/.*', why: 'it controls programs of the user' }

/** True if an allow rule names a protected place. Few policies have one; without one, every protected place is closed. */
export function opensProtected(policy: Policy): boolean {
  return policy.index.allow.write.all.some(({ pattern }) => protectionsAt(policy, pattern.literal, 'write').length > 0)
}

/** Whether an allow rule covers the path and its literal part lies inside every protected place around the path. */
function isNamed(policy: Policy, { access }: PathSubject, form: string): boolean {
  const names = protectionsAt(policy, form, access).map(({ name }) => name)
  for (const { pattern } of findPathRules(policy.index.allow, access, form)) {
    const named = new Set(protectionsAt(policy, pattern.literal, access).map(({ name }) => name))
    if (names.every((name) => named.has(name))) return true
  }
  return false
}
