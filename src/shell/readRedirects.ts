import type { HereDoc, Redirect, Redirection } from 'unbash'
import type { FoundFiles } from '../contracts/subject.ts'
import { hereDocumentText } from './hereDocumentText.ts'
import { isOneWord } from './isOneWord.ts'
import { quoteWord } from './quoteWord.ts'
import { type ReadWord, readWord } from './readWord.ts'
import { asSpelt, UNCLEAR } from './speltWords.ts'
import { addOpaque, addSubject, resolveValue, type Walk } from './walk.ts'

type Emission = { readonly emission: string } | { readonly problem: string }

/** The redirects as canonical text; each target is a path that a rule must cover. */
export function readRedirects(redirects: readonly Redirection[], walk: Walk): string {
  let text = ''
  for (const redirect of redirects) {
    const read = readRedirect(redirect, walk)
    if ('problem' in read) addOpaque(walk, `redirect: ${read.problem}`, redirect)
    else text += ` ${read.emission}`
  }
  return text
}

/** What the command reads: a text of the line, or else what comes from the command before the pipe. */
export function inputOf(redirects: readonly Redirection[], input: FoundFiles | undefined): FoundFiles | undefined {
  const [redirect, ...others] = redirects.filter((each) => !leavesInput(each))
  if (redirect === undefined) return input
  if (others.length > 0 || redirect.descriptor !== undefined) return undefined
  if (redirect.type === 'HereDoc') return asSpelt([hereDocumentText(redirect)])
  if (redirect.type !== 'HereString' || redirect.target === undefined) return undefined
  const { text, value } = redirect.target
  const isQuoted = /^(?:'[^']*'|\\')+$/.test(text)
  return !isQuoted && /[$`~]/.test(text) ? UNCLEAR : asSpelt([value])
}

function leavesInput({ type, operator, descriptor }: Redirection): boolean {
  if (type !== 'Redirect' || operator.includes('<')) return false
  return descriptor === undefined || (descriptor.type === 'FileDescriptor' && descriptor.value !== 0)
}

/** Whether what it prints still goes where it would without the redirect, and nothing else with it. */
export function leavesOutput(redirect: Redirection): boolean {
  const { type, descriptor } = redirect
  const isInput = type !== 'Redirect' || redirect.operator === '<'
  if (isInput) return descriptor === undefined
  if (redirect.target?.text !== '/dev/null') return false
  return redirect.operator === '>' && descriptor?.type === 'FileDescriptor' && descriptor.value === 2
}

function readRedirect(redirect: Redirection, walk: Walk): Emission {
  const { descriptor } = redirect
  if (descriptor?.type === 'FileDescriptorVariable')
    return { problem: `{${descriptor.name}} opens an unknown descriptor` }
  if (descriptor && descriptor.value > 255) return { problem: 'a descriptor above 255' }
  const number = descriptor ? String(descriptor.value) : ''
  const read = readAnyRedirect(redirect, walk)
  return 'problem' in read ? read : { emission: `${number}${read.emission}` }
}

function readAnyRedirect(redirect: Redirection, walk: Walk): Emission {
  switch (redirect.type) {
    case 'HereDoc':
      return readHereDocument(redirect)
    case 'HereString': {
      if (!redirect.target) return { problem: 'a here-string without text' }
      const read = readWord(redirect.target, walk)
      if ('problem' in read) return read
      return read.word.kind === 'glob' ? { problem: 'a glob in a here-string' } : { emission: `<<<${read.emission}` }
    }
    case 'Redirect':
      if (redirect.operator === '>&' || redirect.operator === '<&') {
        const problem = walk.checks.duplicateProblem(redirect.target?.text ?? '')
        return problem ? { problem } : { emission: `${redirect.operator}${redirect.target?.text ?? ''}` }
      }
      return readFileRedirect(redirect, walk)
  }
}

/** A here-document becomes a here-string: the same bytes, and no delimiter that could be met early. */
function readHereDocument(document: HereDoc): Emission {
  const { delimiter, body, closing } = document
  if (!delimiter || !closing || !/^\w+$/.test(delimiter.value))
    return { problem: 'a here-document with an unusual end' }
  if (!delimiter.quoted && /[$`\\]/.test(body.text)) {
    return { problem: `a here-document that expands; write <<'${delimiter.value}'` }
  }
  const text = hereDocumentText(document)
  if (text === '') return { emission: `<${quoteWord('/dev/null')}` }
  return text.endsWith('\n') ? { emission: `<<<${quoteWord(text.slice(0, -1))}` } : { problem: 'a cut here-document' }
}

const FREE_WRITES = ['/dev/null', '/dev/stdout', '/dev/stderr']
const FREE_READS = ['/dev/null']

function readFileRedirect({ operator, target }: Redirect, walk: Walk): Emission {
  if (!target || target.text.startsWith('~')) return { problem: 'a target that is not a plain path' }
  const read = readWord(target, walk)
  if ('problem' in read) return read
  if (read.word.kind !== 'literal' || read.word.value === '') return { problem: 'a target that is not a literal path' }
  const { value } = read.word
  const isRead = operator === '<'
  if ((isRead ? FREE_READS : FREE_WRITES).includes(value)) return { emission: `${operator}${quoteWord(value)}` }
  if (walk.cwd === undefined && !value.startsWith('/')) {
    return { problem: `\`${value}\` is relative, and the directory is not known after \`cd\`; use an absolute path` }
  }
  const path = resolveValue(value, walk)
  if (/^\/dev\/(?:tcp|udp)(?:\/|$)/.test(path.lexical)) return { problem: 'a network connection' }
  if (path.resolved !== path.physical) return { problem: `\`${value}\` goes up from a link` }
  if (isRead || operator === '<>') addSubject(walk, { kind: 'path', access: 'read', path, source: 'redirect' })
  if (!isRead) {
    addSubject(walk, { kind: 'path', access: 'write', path, source: 'redirect' })
    walk.findings.isReadOnly = false
    const { changes, clock } = walk.findings
    if (!isOneWord(value)) changes.push({ command: clock, at: clock })
  }
  return { emission: `${operator}${emitTarget(value, read, walk)}` }
}

/** The absolute path as the kernel will walk it: `missing/../x` must fail as it does when written relative. */
function emitTarget(value: string, { emission, isVariable }: ReadWord, { cwd }: Walk): string {
  if (value.startsWith('/')) return emission
  const start = quoteWord(`${cwd === '/' ? '' : cwd}/`)
  if (!isVariable) return quoteWord(`${cwd === '/' ? '' : cwd}/${value}`)
  return emission.startsWith("'") ? `${start.slice(0, -1)}${emission.slice(1)}` : `${start}${emission}`
}
