import type { HereDoc, Redirect, Redirection } from 'unbash'
import type { Reason, RedirectProblemKind } from '../../contracts/reason.ts'
import { textOf } from '../programs/literalWord.ts'
import { hereDocumentText, isHereDocument } from '../words/literalOutput.ts'
import { quoteWord } from '../words/quoteWord.ts'
import { type ReadWord, readHereDocument, readWord, type WordProblem } from '../words/readWord.ts'
import { addRefused, addSubject, noteOpaquePart, resolveValue, type Walk } from './Walk.ts'

type Emission = { readonly emission: string } | WordProblem

function failed(what: RedirectProblemKind, target = ''): WordProblem {
  return { problem: { code: 'redirect', what, target } }
}

/** The redirects as canonical text. A rule must cover each target that is written. */
export function readRedirects(redirects: readonly Redirection[], walk: Walk): string {
  let text = ''
  for (const redirect of redirects) {
    const read = readRedirect(redirect, walk)
    if ('problem' in read) noteOpaquePart(walk, read.problem, redirect, read.isUnseen)
    else text += ` ${read.emission}`
  }
  return text
}

function readRedirect(redirect: Redirection, walk: Walk): Emission {
  const { descriptor } = redirect
  if (descriptor?.type === 'FileDescriptorVariable') return failed('descriptor', `{${descriptor.name}}`)
  if (descriptor && descriptor.value > 255) return failed('descriptor', String(descriptor.value))
  const number = descriptor ? String(descriptor.value) : ''
  const read = readAnyRedirect(redirect, walk)
  return 'problem' in read ? read : { emission: `${number}${read.emission}` }
}

function readAnyRedirect(redirect: Redirection, walk: Walk): Emission {
  switch (redirect.type) {
    case 'HereDoc':
      return readDocument(redirect, walk)
    case 'HereString': {
      if (!redirect.target) return failed('document')
      const read = readWord(redirect.target, walk)
      if ('problem' in read) return read
      return read.word.kind === 'glob' ? failed('document') : { emission: `<<<${read.emission}` }
    }
    case 'Redirect': {
      const target = redirect.target?.text ?? ''
      if (redirect.operator === '>&' || redirect.operator === '<&') {
        if (/^(?:\d{1,3}|-)$/.test(target)) return { emission: `${redirect.operator}${target}` }
        // `2>&-touch ls` runs `touch`: bash ends the redirect after the dash.
        return { ...failed('descriptor', `&${target}`), ...(target.startsWith('-') ? { isUnseen: true } : {}) }
      }
      return readFileRedirect(redirect, walk)
    }
  }
}

/** A here-document becomes a here-string: the same bytes, but no delimiter that could match too early. */
function readDocument(document: HereDoc, walk: Walk): Emission {
  if (!isHereDocument(document)) return failed('document')
  if (document.delimiter?.quoted) {
    const text = hereDocumentText(document)
    if (text === '') return { emission: `<${quoteWord('/dev/null')}` }
    return text.endsWith('\n') ? { emission: `<<<${quoteWord(text.slice(0, -1))}` } : failed('document')
  }
  if (document.body.text === '') return { emission: `<${quoteWord('/dev/null')}` }
  if (!document.body.text.endsWith('\n')) return failed('document')
  const body = { ...document.body, text: document.body.text.slice(0, -1) }
  if (!/[$`\\]/.test(body.text)) return { emission: `<<<${quoteWord(hereDocumentText({ ...document, body }))}` }
  const read = readHereDocument(document, walk)
  if ('problem' in read) return read
  // The here-string adds its own final newline.
  const { emission } = read
  if (!emission.endsWith("\n'")) return failed('document')
  return { emission: `<<<${`${emission.slice(0, -2)}'`.replace(/(.)''$/s, '$1')}` }
}

const DEVICES = ['/dev/null', '/dev/stdout', '/dev/stderr', '/dev/tty']

function readFileRedirect({ operator, target }: Redirect, walk: Walk): Emission {
  if (!target) return failed('unknown')
  const read = readWord(target, walk)
  if ('problem' in read) return read
  const { word, emission } = read
  if (word.kind === 'glob' || word.kind === 'many') return failed('unknown', target.text)
  const isRead = operator === '<'
  if (!isRead) walk.findings.isReadOnly &&= DEVICES.includes(textOf(word))
  if (word.kind !== 'literal') {
    // The commands of `<(…)` are judged themselves. Without the space it would be a here-document.
    if (target.parts?.[0]?.type === 'ProcessSubstitution') return { emission: `${operator} ${emission}` }
    if (/^\/dev\/(?:tcp|udp|$)|^\/(?:d(?:ev?)?)?$/.test(word.prefix ?? '')) return failed('network', target.text)
    addRefused(walk, { code: 'redirect', what: 'dynamic', target: target.text.slice(0, 60) })
    return { emission: `${operator}${emission}` }
  }
  const { value } = word
  if (value === '') return failed('unknown', target.text)
  if (DEVICES.includes(value)) return { emission: `${operator}${quoteWord(value)}` }
  if (walk.cwd === undefined && !value.startsWith('/')) {
    const reason: Reason = { code: 'redirect', what: 'lost', target: value }
    addRefused(walk, reason)
    return { emission: `${operator}${emission}` }
  }
  const path = resolveValue(value, walk)
  if (/^\/dev\/(?:tcp|udp)(?:\/|$)/.test(path.lexical)) return failed('network', value)
  if (path.resolved !== path.physical) return failed('climbs', value)
  if (isRead || operator === '<>') addSubject(walk, { kind: 'path', access: 'read', path, source: 'operand' })
  if (!isRead) addSubject(walk, { kind: 'path', access: 'write', path, source: 'redirect' })
  return { emission: `${operator}${emitTarget(value, read, walk)}` }
}

/** The absolute path as the kernel walks it: `missing/../x` must fail, as the relative path does. */
function emitTarget(value: string, { emission }: ReadWord, { cwd }: Walk): string {
  if (value.startsWith('/')) return emission
  const start = quoteWord(`${cwd === '/' ? '' : cwd}/`)
  return emission.startsWith("'") ? `${start.slice(0, -1)}${emission.slice(1)}` : `${start}${emission}`
}
