import type { SubjectVerdict } from '../contracts/decision.ts'
import type { PathSubject } from '../contracts/subject.ts'
import { isWithin } from '../lib/isWithin.ts'
import { shortPath } from './describeSubject.ts'
import { foldText } from './foldText.ts'
import { findPathRules } from './matchers/index.ts'
import { mayMeet } from './matchers/mayMeet.ts'
import { globsOf, isHeld, placesOf } from './matchers/path.ts'
import type { Policy } from './Policy.ts'
import { isHarmlessDevice, isKernelPath, type Protection, protectionOfGlob, protectionsOf } from './protectedPaths.ts'

type Verdict = Pick<SubjectVerdict, 'behavior' | 'reason'>

/** What the built-in protections say of a path; undefined where they say nothing, or a rule names the place exactly. */
export function judgeProtection(policy: Policy, subject: PathSubject): Verdict | undefined {
  if (subject.source !== 'tool' && isHarmlessDevice(subject.path.lexical)) return undefined
  for (const form of placesOf(subject)) {
    const never = judgeNever(policy, subject, form)
    if (never !== undefined) return { behavior: 'deny', reason: { type: 'protected', path: form, detail: never } }
    const protections = protectionsAt(policy, form, subject.access)
    const [first] = protections
    if (!first || isNamed(policy, subject, form)) continue
    const detail = `${first.name} is protected: ${first.why}`
    return { behavior: 'ask', reason: { type: 'protected', path: form, detail } }
  }
  const found = judgeFound(policy, subject) ?? judgeMatches(policy, subject)
  if (found !== undefined) return found
  for (const glob of globsOf(subject)) {
    if (mayReachOurs(policy, subject, glob)) {
      return { behavior: 'deny', reason: { type: 'protected', path: glob, detail: NEVER_WRITTEN } }
    }
    const protection = protectionOfGlob(glob, subject.access)
    if (!protection) continue
    return { behavior: 'ask', reason: { type: 'protected', path: glob, detail: mayReach(protection) } }
  }
  return undefined
}

/** Of files that were found by their names, or are changed: one that is protected. Reading all there is passes, as `grep -r` does. */
function judgeFound(policy: Policy, subject: PathSubject): Verdict | undefined {
  const { found, access, path } = subject
  if (found === undefined || (!found.isPicked && access === 'read')) return undefined
  if (found.isUnclear) {
    return { behavior: 'ask', reason: { type: 'protected', path: path.lexical, detail: UNCLEAR } }
  }
  const files = found.files()
  if (files === undefined) {
    const globs = (found.names ?? ['*']).map((name) => `${path.lexical}/**/${name}`)
    const reached = globs.map((glob) => protectionOfGlob(glob, access)).find((each) => each !== undefined)
    return reached && { behavior: 'ask', reason: { type: 'protected', path: path.lexical, detail: mayReach(reached) } }
  }
  return judgeFiles(policy, subject, files)
}

/** A wildcard, and behind it a way up again: what it means is not looked for. */
const CLIMBING = /[*?[].*\/\.\.(?:\/|$)|\/\.[^/]*[*?[][^/]*\//

/** Of files that a pattern means on the disk: one that is protected, or too many to tell. */
function judgeMatches(policy: Policy, subject: PathSubject): Verdict | undefined {
  const { matches, path, glob = '' } = subject
  if (matches === undefined && !CLIMBING.test(glob)) return undefined
  const files = matches?.()
  if (files !== undefined) return judgeFiles(policy, subject, files)
  return { behavior: 'ask', reason: { type: 'protected', path: path.lexical, detail: UNCLEAR_PATTERN } }
}

/** Of files that a subject means without their names: one that is protected. */
function judgeFiles(policy: Policy, subject: PathSubject, files: readonly string[]): Verdict | undefined {
  const { access } = subject
  for (const file of files) {
    const never = judgeNever(policy, subject, file)
    if (never !== undefined) return { behavior: 'deny', reason: { type: 'protected', path: file, detail: never } }
    const [first] = protectionsAt(policy, file, access)
    if (!first || isNamed(policy, subject, file)) continue
    const detail = `it means \`${shortPath(policy.cwd, file)}\` too; ${first.name} is protected: ${first.why}. Leave it out by name, or look elsewhere`
    return { behavior: 'ask', reason: { type: 'protected', path: file, detail } }
  }
  return undefined
}

/** What no rule can open. */
function judgeNever(policy: Policy, subject: PathSubject, form: string): string | undefined {
  const { access, source } = subject
  if (source === 'tool' && isKernelPath(form)) return 'files of /proc, /sys and /dev are never opened by a tool'
  if (access === 'read') return undefined
  const text = foldText(form)
  const ours = [...policy.files, ...policy.untouchable]
  const isOurs = ours.some(
    (path) => isWithin(text, foldText(path)) || (subject.isTree === true && isHeld(subject, path)),
  )
  return isOurs ? NEVER_WRITTEN : undefined
}

function mayReach({ name, why }: Protection): string {
  return `the pattern may reach ${name}, which is protected: ${why}`
}

const UNCLEAR = 'a word that is known only when it runs may name any file, a protected one too; name the file itself'
const UNCLEAR_PATTERN =
  'the pattern goes up again or means too many files to tell whether a protected one is among them; name the folder, or the file'
const NEVER_WRITTEN = 'the policy, the records of the run and the command files of the runner are never written'

/** Whether the glob as it is spelt fits one of them; of what is known only when it runs the sandbox takes care. */
function mayReachOurs(policy: Policy, { access }: PathSubject, glob: string): boolean {
  if (access === 'read' || glob.includes('**')) return false
  return [...policy.files, ...policy.untouchable].some((base) => mayMeet({ base, glob: '' }, glob))
}

/** The protections of a place, and that of the home folder's settings, unless the work is there. */
function protectionsAt(policy: Policy, path: string, access: PathSubject['access']): readonly Protection[] {
  const { cwd, home, settings } = policy
  const found = protectionsOf(path, access, home)
  if (access === 'read' || !isWithin(path, home)) return found
  if ([cwd, ...settings.additionalDirectories].some((folder) => isWithin(path, folder))) return found
  if (path === home) return [...found, { ...HOME, name: '~' }]
  return /^\/(?:\.|bin(?:\/|$))/.test(path.slice(home.length)) ? [...found, HOME] : found
}

const HOME: Protection = { name: '~/.*', why: 'what stands there steers programs of the user' }

/** Whether an allow rule covers the path whose literal part lies inside every protected place that the path lies in. */
function isNamed(policy: Policy, { access }: PathSubject, form: string): boolean {
  const names = protectionsAt(policy, form, access).map(({ name }) => name)
  for (const { pattern } of findPathRules(policy.index.allow, access, form)) {
    const named = new Set(protectionsAt(policy, pattern.literal, access).map(({ name }) => name))
    if (names.every((name) => named.has(name))) return true
  }
  return false
}
