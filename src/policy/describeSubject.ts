import type { PathSubject, Subject } from '../contracts/subject.ts'
import { isWithin } from '../lib/isWithin.ts'
import { mcpName } from './matchers/name.ts'
import type { Policy } from './Policy.ts'

const MAX_LENGTH = 200

/** A subject in a few words, for the model and for `policy explain`. */
export function describeSubject(policy: Pick<Policy, 'cwd'>, subject: Subject): string {
  const text = describe(policy, subject)
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text
}

function describe(policy: Pick<Policy, 'cwd'>, subject: Subject): string {
  switch (subject.kind) {
    case 'command':
      return subject.text
    case 'path':
      return `${subject.access} ${describePath(policy, subject)}`
    case 'domain':
      return `domain ${subject.host}`
    case 'mcp':
      return mcpName(subject)
    case 'name':
      return subject.specifier === undefined ? subject.tool : `${subject.tool}(${subject.specifier})`
    case 'opaque':
      return subject.reason
  }
}

function describePath({ cwd }: Pick<Policy, 'cwd'>, { path, glob }: PathSubject): string {
  if (glob === undefined) return shortPath(cwd, path.lexical)
  if (glob !== '**') return `any file of ${shortPath(cwd, glob)}`
  return path.given.includes('*')
    ? 'a file that is known only when it runs'
    : `${path.given}, which the line itself may make a link (use it in a call of its own),`
}

/** Relative inside the project, absolute outside. */
export function shortPath(cwd: string, path: string): string {
  if (path === cwd) return '.'
  return isWithin(path, cwd) ? path.slice(cwd.endsWith('/') ? cwd.length : cwd.length + 1) : path
}
