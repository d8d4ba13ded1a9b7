import type { Subject } from '../../contracts/subject.ts'
import { displayPath } from '../../lib/fs/paths.ts'
import { mcpName } from '../matchers/name.ts'
import type { Policy } from '../Policy.ts'
import { describeReason } from './describeReason.ts'

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
      return `${subject.access} ${displayPath(subject.path.lexical, policy.cwd)}`
    case 'domain':
      return `domain ${subject.host}`
    case 'mcp':
      return mcpName(subject)
    case 'name':
      return subject.specifier === undefined ? subject.tool : `${subject.tool}(${subject.specifier})`
    case 'opaque':
      return describeReason(subject.reason)
  }
}

/** A subject as part of a sentence: a command in backticks, `writing src/a.ts`. */
export function wordsFor(policy: Pick<Policy, 'cwd'>, subject: Subject): string {
  if (subject.kind === 'domain') return `fetching from ${subject.host}`
  if (subject.kind !== 'path') return `\`${describeSubject(policy, subject)}\``
  return `${subject.access === 'read' ? 'reading' : 'writing'} ${displayPath(subject.path.lexical, policy.cwd)}`
}
