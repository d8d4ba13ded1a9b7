import type { DecisionReason } from '../contracts/decision.ts'
import type { PathSubject, Subject, Word } from '../contracts/subject.ts'
import { isWithin } from '../lib/isWithin.ts'
import { shortPath } from './describeSubject.ts'
import { escapeGlob } from './escapeGlob.ts'
import { isDrastic } from './isDrastic.ts'
import { isMetadataHost } from './matchers/domain.ts'
import { mcpName } from './matchers/name.ts'
import type { Policy } from './Policy.ts'
import { isOpenable } from './protectedPaths.ts'
import { riskOf } from './riskyCommands.ts'

/** The narrowest allow rule that would cover the subject; undefined where none can, or none should be offered. */
export function suggestRule(policy: Policy, subject: Subject, reason: DecisionReason): string | undefined {
  if (reason.type === 'rule') return undefined
  switch (subject.kind) {
    case 'command':
      return suggestCommand(subject)
    case 'path':
      return suggestPath(policy, subject)
    case 'domain':
      return isMetadataHost(subject.host) ? undefined : `WebFetch(domain:${subject.host})`
    case 'mcp':
      return mcpName(subject)
    case 'name':
      if (subject.tool === 'PowerShell') return undefined
      return subject.specifier === undefined ? subject.tool : `${subject.tool}(${subject.specifier})`
    case 'opaque':
      return undefined
  }
}

function suggestCommand({ chain }: Extract<Subject, { kind: 'command' }>): string | undefined {
  if (chain.some((link) => link.cover === 'never' || isDrastic(link.argv))) return undefined
  const link = chain.find(({ cover }) => cover === 'exact') ?? chain.findLast(({ cover }) => cover === 'wildcard')
  if (!link) return undefined
  const known = link.argv.findIndex((word) => !isPlain(word))
  const words = (known < 0 ? link.argv : link.argv.slice(0, known)).map((word) =>
    word.kind === 'literal' ? word.value : '',
  )
  if (known < 0) return `Bash(${words.join(' ')})`
  const isOpen = words.length === 0 || link.cover === 'exact' || riskOf(words) !== undefined
  return isOpen ? undefined : `Bash(${words.join(' ')} *)`
}

/** A word that stands in a rule as it is. */
function isPlain(word: Word): boolean {
  return word.kind === 'literal' && /^[\w./:=@%+,-]+$/.test(word.value) && !word.value.endsWith(':')
}

function suggestPath(policy: Policy, { access, path }: PathSubject): string | undefined {
  if (!isOpenable(path.lexical, policy.home)) return undefined
  if (path.resolved !== path.lexical || path.physical !== path.lexical) return undefined
  if (path.lexical === policy.cwd) return access === 'read' ? 'Read(./**)' : undefined
  const short = escapeGlob(shortPath(policy.cwd, path.lexical))
  const isInside = isWithin(path.lexical, policy.cwd)
  if (!isInside && access === 'write') return undefined
  const anchored = isInside ? (short.includes('/') ? short : `./${short}`) : `/${short}`
  return `${access === 'read' ? 'Read' : 'Edit'}(${anchored})`
}
