import type { HereDoc, Redirect, Redirection } from 'unbash'
import type { RedirectProblemKind } from '../../contracts/reason.ts'
import { textOf } from '../programs/literalWord.ts'
import { hereDocumentText, isHereDocument } from '../words/literalOutput.ts'
import { quoteWord } from '../words/quoteWord.ts'
import { type ReadWord, readHereDocument, readWord } from '../words/readWord.ts'
import { addRefused, addSubject, orOpaque, resolveValue, Unjudged, type Walk } from './Walk.ts'

function problem(what: RedirectProblemKind, target = '', isUnseen = false): Unjudged {
  return new Unjudged({ code: 'redirect', what, target }, isUnseen)
}

/** The redirects as canonical text. A rule must cover each target that is written. */
export function readRedirects(redirects: readonly Redirection[], walk: Walk): string {
  const read = redirects.map((redirect) => orOpaque(redirect, walk, () => ` ${readRedirect(redirect, walk)}`))
  return read.join('')
}

function readRedirect(redirect: Redirection, walk: Walk): string {
  const { descriptor } = redirect
  if (descriptor?.type === 'FileDescriptorVariable') throw problem('descriptor', `{${descriptor.name}}`)
  if (descriptor && descriptor.value > 255) throw problem('descriptor', String(descriptor.value))
  return `${descriptor?.value ?? ''}${readTarget(redirect, walk)}`
}

function readTarget(redirect: Redirection, walk: Walk): string {
  switch (redirect.type) {
    case 'HereDoc':
      return readDocument(redirect, walk)
    case 'HereString': {
      const read = redirect.target && readWord(redirect.target, walk)
      if (read === undefined || read.word.kind === 'glob') throw problem('document')
      return `<<<${read.emission}`
    }
    case 'Redirect': {
      const target = redirect.target?.text ?? ''
      if (redirect.operator === '>&' || redirect.operator === '<&') {
        if (/^(?:\d{1,3}|-)$/.test(target)) return `${redirect.operator}${target}`
        // `2>&-touch ls` runs `touch`: bash ends the redirect after the dash.
        throw problem('descriptor', `&${target}`, target.startsWith('-'))
      }
      return readFileRedirect(redirect, walk)
    }
  }
}

/** A here-document becomes a here-string: the same bytes, but no delimiter that could match too early. */
function readDocument(document: HereDoc, walk: Walk): string {
  const { delimiter, body } = document
  if (!isHereDocument(document)) throw problem('document')
  const isPlain = delimiter?.quoted === true || !/[$`\\]/.test(body.text)
  const text = isPlain ? hereDocumentText(document) : body.text
  if (text === '') return `<${quoteWord('/dev/null')}`
  if (!text.endsWith('\n')) throw problem('document')
  // The here-string adds its own final newline.
  if (isPlain) return `<<<${quoteWord(text.slice(0, -1))}`
  const { emission } = readHereDocument(document, walk)
  if (!emission.endsWith("\n'")) throw problem('document')
  return `<<<${`${emission.slice(0, -2)}'`.replace(/(.)''$/s, '$1')}`
}

const DEVICES = ['/dev/null', '/dev/stdout', '/dev/stderr', '/dev/tty']

function readFileRedirect({ operator, target }: Redirect, walk: Walk): string {
  if (!target) throw problem('unknown')
  const read = readWord(target, walk)
  const { word, emission } = read
  if (word.kind === 'glob' || word.kind === 'many') throw problem('unknown', target.text)
  const isRead = operator === '<'
  if (!isRead) walk.findings.isReadOnly &&= DEVICES.includes(textOf(word))
  if (word.kind !== 'literal') {
    // The commands of `<(…)` are judged themselves. Without the space it would be a here-document.
    if (target.parts?.[0]?.type === 'ProcessSubstitution') return `${operator} ${emission}`
    if (/^\/dev\/(?:tcp|udp|$)|^\/(?:d(?:ev?)?)?$/.test(word.prefix ?? '')) throw problem('network', target.text)
    addRefused(walk, { code: 'redirect', what: 'dynamic', target: target.text.slice(0, 60) })
    return `${operator}${emission}`
  }
  const { value } = word
  if (value === '') throw problem('unknown', target.text)
  if (DEVICES.includes(value)) return `${operator}${quoteWord(value)}`
  if (walk.cwd === undefined && !value.startsWith('/')) {
    addRefused(walk, { code: 'redirect', what: 'lost', target: value })
    return `${operator}${emission}`
  }
  const path = resolveValue(value, walk)
  if (/^\/dev\/(?:tcp|udp)(?:\/|$)/.test(path.lexical)) throw problem('network', value)
  if (path.resolved !== path.physical) throw problem('climbs', value)
  if (isRead || operator === '<>') addSubject(walk, { kind: 'path', access: 'read', path, source: 'operand' })
  if (!isRead) addSubject(walk, { kind: 'path', access: 'write', path, source: 'redirect' })
  return `${operator}${emitTarget(value, read, walk)}`
}

/** The absolute path as the kernel walks it: `missing/../x` must fail, as the relative path does. */
function emitTarget(value: string, { emission }: ReadWord, { cwd }: Walk): string {
  if (value.startsWith('/')) return emission
  const start = quoteWord(`${cwd === '/' ? '' : cwd}/`)
  return emission.startsWith("'") ? `${start.slice(0, -1)}${emission.slice(1)}` : `${start}${emission}`
}
