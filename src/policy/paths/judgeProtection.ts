import { dirname } from 'node:path'
import type { SubjectVerdict } from '../../contracts/decision.ts'
import type { PathForms, PathSubject, Subject } from '../../contracts/subject.ts'
import { isWithin } from '../../lib/fs/isWithin.ts'
import { memoizeFor } from '../../lib/memoize.ts'
import { createPlaceMatcher, placeNamePattern } from '../../lib/places/placeMatcher.ts'
import { PLACES, type Place } from '../../lib/places/places.ts'
import { caseFold } from '../matchers/caseFold.ts'
import { findPathRules } from '../matchers/index.ts'
import { formsOf } from '../matchers/path.ts'
import type { Policy } from '../Policy.ts'

/** A built-in protection. A rule must name `name` to open it. */
type Protection = Pick<Place, 'name' | 'why'>

const KERNEL: Protection = { name: 'a file of /proc, /sys and /dev', why: 'it shows the machine, not the project' }
const KERNEL_PATH = /^\/(?:proc|sys|dev)(?:\/|$)/
const HARMLESS_DEVICES = /^\/dev\/(?:null|zero|full|u?random|std(?:in|out|err)|fd\/\d+)$/

const KINDS = { read: ['read-secret', 'home-credential'], write: ['write-protected', 'home-credential'] } as const

const MATCHERS = { read: createPlaceMatcher(placesFor('read')), write: createPlaceMatcher(placesFor('write')) }

function placesFor(access: 'read' | 'write'): readonly Place[] {
  return KINDS[access].flatMap((kind) => PLACES.filter((place) => place.kind === kind))
}

/** The protections that apply to an absolute path, ignoring case. Empty for ordinary paths. */
export function protectionsOf(path: string, access: 'read' | 'write', home: string): readonly Protection[] {
  const text = caseFold(path)
  const found = MATCHERS[access].find(text, caseFold(home))
  return isKernelPath(text) ? [...found, KERNEL] : found
}

const SECRET_NAMES = placeNamePattern(placesFor('read'))

/** Whether a file or folder of this name may be a secret. False is certain, unless a folder above it is a secret. */
export function mayBeSecretName(name: string): boolean {
  return SECRET_NAMES.test(caseFold(name))
}

/** True for `/proc`, `/sys` and `/dev`, which in-process tools never open, whatever the rules say. */
export function isKernelPath(path: string): boolean {
  return KERNEL_PATH.test(path) && !/^\/dev\/shm(?:\/|$)/.test(path)
}

export function isHarmlessDevice(path: string): boolean {
  return HARMLESS_DEVICES.test(path)
}

type Verdict = Pick<SubjectVerdict, 'behavior' | 'reason'>

/** What the built-in protections say; undefined if they do not apply, or a rule names the place exactly. */
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

function judgeNever(policy: Policy, subject: PathSubject, form: string): string | undefined {
  const { access, source } = subject
  if (source === 'tool' && isKernelPath(form)) return 'no tool opens files of /proc, /sys and /dev'
  if (access === 'read') return undefined
  const text = caseFold(form)
  return oursOf(policy).some((path) => isWithin(text, path)) ? NEVER_WRITTEN : undefined
}

const oursOf = memoizeFor(({ files, untouchable }: Policy) => [...files, ...untouchable].map(caseFold))

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

/** True if the path, in every form, is in the project or in one of `additionalDirectories`. */
export function isInsideWorkingDirectories(policy: Policy, subject: Extract<Subject, { kind: 'path' }>): boolean {
  const roots = [policy.cwd, ...policy.settings.additionalDirectories]
  const { lexical, resolved, physical, problem } = subject.path
  if (problem !== undefined) return false
  return [lexical, resolved, physical].every((path) => roots.some((root) => isWithin(path, root)))
}

const SCRATCH = ['/tmp', '/var/tmp', '/private/tmp']
const SYSTEM = ['/usr']

/** True if nothing keeps commands in the checkout: the policy turns the sandbox off, or it did not start. */
export function isUnsandboxed({ isUnsandboxed: isSo, settings }: Policy): boolean {
  return isSo ?? settings.sandbox.mode === 'off'
}

/**
 * True for a path that a command line may name without a rule; `bare` is for a line under a bare `Bash`. The Edit rules
 * judge what is written after the command has run. Without the sandbox, temporary folders are those of the machine, so
 * a path beside a checkout in one of them does not belong to the run.
 */
export function needsNoRule(policy: Policy, path: PathForms, use: 'read' | 'write' | 'bare'): boolean {
  const { cwd, home, settings } = policy
  const own = [...SCRATCH, cwd, ...settings.additionalDirectories]
  const places = { read: [...own, ...SYSTEM], write: own, bare: [...own, home] }[use]
  const beside = isUnsandboxed(policy) && !SCRATCH.includes(dirname(cwd)) ? dirname(cwd) : undefined
  const isOwn = (form: string, folder: string) =>
    isWithin(form, folder) && (beside === undefined || !SCRATCH.includes(folder) || !isWithin(form, beside))
  return formsOf(path).every((form) => places.some((folder) => isOwn(form, folder)))
}
