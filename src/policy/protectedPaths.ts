import { createPlaceMatcher, expandPattern } from '../lib/placeMatcher.ts'
import { PLACES, type Place } from '../lib/places.ts'
import { foldText } from './foldText.ts'
import { mayNamesMeet } from './matchers/mayMeet.ts'

/** A built-in protection: `name` is what a rule must name to open it. */
export type Protection = Pick<Place, 'name' | 'why' | 'isOpenable'>

const SETTINGS = 'it steers agents and editors'

const KERNEL: Protection = { name: '/proc, /sys and /dev', why: 'it shows the machine, not the project' }
const KERNEL_PATH = /^\/(?:proc|sys|dev)(?:\/|$)/
const HARMLESS_DEVICES = /^\/dev\/(?:null|zero|full|u?random|std(?:in|out|err)|fd\/\d+)$/

const KINDS = { read: ['read-secret', 'home-credential'], write: ['write-protected', 'home-credential'] } as const

const MATCHERS = { read: createPlaceMatcher(placesFor('read')), write: createPlaceMatcher(placesFor('write')) }

function placesFor(access: 'read' | 'write'): readonly Place[] {
  return KINDS[access].flatMap((kind) => PLACES.filter((place) => place.kind === kind))
}

/** The protections that an absolute path falls under, compared without case. Empty for ordinary paths. */
export function protectionsOf(path: string, access: 'read' | 'write', home: string): readonly Protection[] {
  const text = foldText(path)
  const found = MATCHERS[access].find(text, foldText(home))
  return isKernelPath(text) ? [...found, KERNEL] : found
}

/** True where a rule that opens the path may be suggested. One for writing opens it for reading too. */
export function isOpenable(path: string, home: string): boolean {
  const protections = [...protectionsOf(path, 'read', home), ...protectionsOf(path, 'write', home)]
  return protections.every((protection) => protection.isOpenable === true)
}

/** Names that a word with wildcards may be meant for; a star alone is not taken to mean them. */
const NAMES = {
  read: [...dotNames('read'), 'id_rsa', 'id_dsa', 'id_ecdsa', 'id_ed25519', 'key.pem', 'git-credentials-1.config'],
  write: dotNames('write'),
}

/** The first names of places that begin with a dot and have no wildcard. */
function dotNames(access: 'read' | 'write'): readonly string[] {
  const patterns = placesFor(access).flatMap((place) => place.patterns.flatMap(expandPattern))
  const names = patterns.map((pattern) => foldText(pattern).replace(/^~\//, '').replace(/\/.*$/, ''))
  return [...new Set(names)].filter((name) => /^\.[^*!]+$/.test(name))
}

/** The protection that the absolute glob of a shell word reaches by name: `.e*`, `.git/*`, `*.pem`. Best effort. */
export function protectionOfGlob(glob: string, access: 'read' | 'write'): Protection | undefined {
  const parts = foldText(glob)
    .split('/')
    .filter((part, index) => index === 0 || (part !== '' && part !== '.'))
  const behind = protectionBehind(parts, access)
  if (behind !== undefined) return behind
  const names = NAMES[access]
  for (const [index, part] of parts.entries()) {
    if (!isWild(part)) continue
    if (part.includes('**')) {
      if (access === 'write') return { name: '.git', why: 'git runs what stands there' }
      continue
    }
    if (index === 1 && mayNamesMeet(part, 'proc')) return KERNEL
    const isAny = /^[*?]*$/.test(part)
    if (mayBeGit(parts[index - 1]) && mayNamesMeet(part, 'config*')) return GIT_CONFIG
    if (mayBeGit(part) && parts[index + 1] === 'config') return GIT_CONFIG
    const found = isAny ? undefined : names.find((name) => isMeant(part, name))
    if (found !== undefined) return { name: found, why: access === 'read' ? 'it may hold secrets' : SETTINGS }
    if (access === 'read' && mayBeSecret(part)) return { name: part, why: 'it may hold secrets' }
  }
  return undefined
}

const GIT_CONFIG: Protection = { name: '.git/config', why: 'it steers git and may hold a token' }

function mayBeGit(part: string | undefined): boolean {
  return part === '.git' || (part !== undefined && isWild(part) && !part.includes('**') && mayNamesMeet(part, '.git'))
}

/** `.env.pr*` and `s*.pem`; a name that ends in a wildcard may be any file. */
function mayBeSecret(part: string): boolean {
  if (/^\.env\.(?:exa|sam|tem)|(?:example|sample|template)$/.test(part)) return false
  const isOpen = /[*?\]]$/.test(part)
  return mayNamesMeet(part, '.env.*') || (!isOpen && mayNamesMeet(part, '*.pem') && !/^\*[^.]*$/.test(part))
}

/** The protection that names spelt behind a wildcard fall under, wherever that leads: `*`+`/.env`, `/roo?/.ssh/x`. */
function protectionBehind(parts: readonly string[], access: 'read' | 'write'): Protection | undefined {
  const first = parts.findIndex(isWild)
  if (first < 0) return undefined
  const runs = parts
    .slice(first)
    .map((part) => (isWild(part) ? `\n${endOf(part)}` : `/${part}`))
    .join('')
    .split('\n')
  const found = runs.filter((run) => run !== '').flatMap((run) => MATCHERS[access].findNames(run) ?? [])[0]
  if (found !== undefined) return found
  const isHome = access === 'read' && parts[first]?.includes('**') && runs.at(-1) === '/.npmrc'
  return isHome ? PLACES.find(({ name }) => name === '~/.npmrc') : undefined
}

/** What a name ends with behind anything at all, which may end in a slash: `.pem` and `/.pem` of `**.pem`. */
function endOf(part: string): string {
  const end = part.slice(Math.max(part.lastIndexOf('*'), part.lastIndexOf('?'), part.lastIndexOf(']')) + 1)
  return part.includes('**') && end !== '' ? `${end}\n/${end}` : ''
}

function isWild(part: string): boolean {
  return /[*?[]/.test(part)
}

/** A name that only ends in a wildcard may be any file, so an ending must be spelt where the beginning is open. */
function isMeant(part: string, name: string): boolean {
  const isOpen = /[*?\]]$/.test(part)
  return mayNamesMeet(part, name) && !(isOpen && name.endsWith('.pem'))
}

/** True for `/proc`, `/sys` and `/dev`, which in-process tools never open, whatever the rules say. */
export function isKernelPath(path: string): boolean {
  return KERNEL_PATH.test(path) && !/^\/dev\/shm(?:\/|$)/.test(path)
}

/** True for devices that a command line may name without a rule. */
export function isHarmlessDevice(path: string): boolean {
  return HARMLESS_DEVICES.test(path)
}
