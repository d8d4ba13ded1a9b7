import { lstatSync, readlinkSync } from 'node:fs'
import { dirname, isAbsolute, normalize, resolve } from 'node:path'
import { messageOf } from '../contracts/errors.ts'
import type { PathForms, Subject } from '../contracts/subject.ts'
import { hasCode } from './toFileError.ts'

/** The limit on links that Linux follows in one path (path_resolution(7)). */
const MAX_LINKS = 40
const MAX_PATH_BYTES = 4096
const TOO_LONG = 'the path is too long'

/** The forms that rules check. Reads links, opens nothing, never throws: `problem` says what cannot be judged. */
export function resolvePath(path: string, cwd: string, home: string): PathForms {
  const absolute = toAbsolute(path, cwd, home)
  const problem = problemOf(path, absolute)
  if (problem) return { given: path, lexical: absolute, resolved: absolute, physical: absolute, problem }
  const lexical = withoutTrailingSlash(normalize(absolute))
  try {
    const resolved = followLinks(lexical)
    const physical = lexical === absolute ? resolved : followLinks(absolute)
    return { given: path, lexical, resolved, physical }
  } catch (error) {
    const problem = hasCode(error, 'ENAMETOOLONG') ? TOO_LONG : messageOf(error)
    return { given: path, lexical, resolved: lexical, physical: lexical, problem }
  }
}

/** The forms of an absolute path that is taken as it stands: no link in it is followed. */
export function unfollowed(path: string): PathForms {
  return { given: path, lexical: path, resolved: path, physical: path }
}

/** The text, before any `..` is resolved; only `~` and `~/` mean the home folder. */
function toAbsolute(path: string, cwd: string, home: string): string {
  if (path === '~') return home
  if (path.startsWith('~/')) return `${home}/${path.slice(2)}`
  if (isAbsolute(path)) return path
  return `${resolve(cwd)}/${path}`
}

function problemOf(path: string, absolute: string): string | undefined {
  if (path === '') return 'the path is empty'
  if (path.includes('\0')) return 'the path holds a NUL character'
  if (Buffer.byteLength(absolute) >= MAX_PATH_BYTES) return TOO_LONG
  return undefined
}

function withoutTrailingSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
}

/** Walks an absolute path as the kernel does: it follows each link before the next `..`. Parts may be missing or empty. */
function followLinks(path: string): string {
  const waiting = path.split('/').reverse()
  let current = '/'
  let links = 0
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    if (part === '' || part === '.') continue
    if (part === '..') {
      current = dirname(current)
      continue
    }
    const next = current === '/' ? `/${part}` : `${current}/${part}`
    const target = readLink(next)
    if (target === undefined) {
      current = next
      continue
    }
    links += 1
    if (links > MAX_LINKS) throw new Error('too many symbolic links')
    if (isAbsolute(target)) current = '/'
    waiting.push(...target.split('/').reverse())
  }
  return current
}

/** The target of a link; undefined if there is no link or nothing at all. */
function readLink(path: string): string | undefined {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined
  } catch (error) {
    // EINVAL: the link was replaced between the two calls.
    if (hasCode(error, 'ENOENT', 'ENOTDIR', 'EACCES', 'EINVAL')) return undefined
    throw error
  }
}

type Resolve = (path: string, cwd?: string) => PathForms

/**
 * Resolves paths for a call that was judged. A path among its subjects keeps the forms that the rules checked, so a
 * link that changes afterwards cannot redirect the call. The guard then refuses what is no longer there.
 */
export function resolveAsJudged(subjects: readonly Subject[], resolve: Resolve): Resolve {
  const judged = new Map(
    subjects.flatMap((subject) => (subject.kind === 'path' ? [[subject.path.given, subject.path]] : [])),
  )
  return (path, cwd) => (cwd === undefined ? judged.get(path) : undefined) ?? resolve(path, cwd)
}
