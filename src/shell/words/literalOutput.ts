import type { Command, HereDoc, ParsedScript } from 'unbash'
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
  const { name, args = [], redirects = [] } = singleCommand(script) ?? {}
  const [redirect, ...others] = redirects
  if (
    name?.text !== 'cat' ||
    args.length > 0 ||
    others.length > 0 ||
    redirect?.type !== 'HereDoc' ||
    redirect.descriptor
  )
    return undefined
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

/** True for a script that is the one word `pwd`. */
export function isPwd(script: ParsedScript): boolean {
  const command = singleCommand(script)
  return command?.name?.text === 'pwd' && command.args.length === 0 && command.redirects.length === 0
}

/** The only command of a script, without assignments before it. */
function singleCommand({ commands, errors }: ParsedScript): Command | undefined {
  const [statement, ...others] = commands
  const command = statement?.command
  if (errors?.length || others.length > 0 || statement?.background || command?.type !== 'Command') return undefined
  return command.prefix.length > 0 ? undefined : command
}
