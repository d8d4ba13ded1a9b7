import type { HereDoc, ParsedScript } from 'unbash'
import { programName } from '../../lib/text/programName.ts'
import { TRANSPARENT_WRAPPERS } from '../programs/wrappers.ts'

/** True for a here-document whose end every bash version finds. */
export function isHereDocument({ delimiter, closing }: HereDoc): boolean {
  return delimiter !== undefined && closing !== undefined && /^\w+$/.test(delimiter.value)
}

/** The text of a here-document without expansion; `<<-` strips the tabs. */
export function hereDocumentText({ operator, body }: HereDoc): string {
  return operator === '<<-' ? body.text.replace(/^\t+/gm, '') : body.text
}

/** The output of a script that only prints a quoted here-document with `cat`. */
export function literalOutput(script: ParsedScript): string | undefined {
  const [statement, ...more] = script.commands
  const command = statement?.command
  if (script.errors?.length || more.length > 0 || statement?.background || command?.type !== 'Command') return undefined
  const [redirect, ...others] = command.redirects
  const isCat = command.name?.text === 'cat' && command.args.length === 0 && command.prefix.length === 0
  if (!isCat || others.length > 0 || redirect?.type !== 'HereDoc' || redirect.descriptor) return undefined
  if (!redirect.delimiter?.quoted || !redirect.closing) return undefined
  return hereDocumentText(redirect).replace(/\n+$/, '')
}

/** One command of known words, which may send its output elsewhere, in canonical text. */
const ONE_COMMAND = /^'((?:[^']|'\\'')*)'(?: (?:'(?:[^']|'\\'')*'|\d*>(?:&\d|'[^']*')))*$/

/**
 * True if a script, given as canonical text, is one program whose output is its own: `ssh-agent -s`. What `echo` and
 * `printf` print is text of the line, and what a wrapper starts may be one of them.
 */
export function isProgramOutput(canonical: string): boolean {
  const program = programName(ONE_COMMAND.exec(canonical)?.[1] ?? 'echo')
  return !/^(?:echo|printf)$/.test(program) && !TRANSPARENT_WRAPPERS.has(program)
}

/** The words of a script that is one command of literal words; undefined for any other. */
export function singleCommandWords({ commands, errors }: ParsedScript): readonly string[] | undefined {
  const [statement, ...others] = commands
  const command = statement?.command
  if (errors?.length || others.length > 0 || statement?.background || command?.type !== 'Command') return undefined
  const { name, args, prefix, redirects } = command
  if (prefix.length > 0 || redirects.length > 0) return undefined
  return [name?.text ?? '', ...args.map(({ text }) => text)]
}
