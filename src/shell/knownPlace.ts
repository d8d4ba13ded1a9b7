import type { DoubleQuotedChild, ParsedScript, WordPart } from 'unbash'
import { expansionName } from './expansionName.ts'
import { inSubshell, type Walk } from './walk.ts'

/**
 * The folder that `$PWD`, `$HOME` or `$(pwd)` stands for, where it is known: no line that is judged assigns to them. Undefined
 * for everything else, and in a script that a command is given: it may run elsewhere.
 */
export function knownPlace(part: WordPart | DoubleQuotedChild, walk: Walk): string | undefined {
  if (walk.depth > 0) return undefined
  if (part.type === 'CommandExpansion')
    return part.script && isPwd(part.script) ? printed(part.script, walk) : undefined
  if (part.type !== 'SimpleExpansion' && part.type !== 'ParameterExpansion') return undefined
  const name = expansionName(part)
  return name === 'PWD' ? walk.cwd : name === 'HOME' ? walk.context.home : undefined
}

/** `pwd` itself needs a rule like any other command. */
function printed(script: ParsedScript, walk: Walk): string | undefined {
  if (walk.cwd === undefined || walk.cwd.endsWith('\n')) return undefined
  walk.visit.script(script, inSubshell(walk))
  return walk.cwd
}

function isPwd(script: ParsedScript): boolean {
  return plainWords(script)?.join(' ') === 'pwd'
}

/** The words of a script that is one command of plain words; undefined for any other. */
export function plainWords({ commands, errors }: ParsedScript): readonly string[] | undefined {
  const [statement, ...others] = commands
  const command = statement?.command
  if (errors?.length || others.length > 0 || statement?.background || command?.type !== 'Command') return undefined
  const { name, args, prefix, redirects } = command
  if (prefix.length > 0 || redirects.length > 0) return undefined
  return [name?.text ?? '', ...args.map(({ text }) => text)]
}
