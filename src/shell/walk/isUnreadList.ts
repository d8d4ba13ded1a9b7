import type { Command, CommandArgument } from 'unbash'
import { DECLARATION_BUILTINS } from '../chain/builtinLink.ts'
import type { ReadWord } from '../words/readWord.ts'
import { noteOpaquePart, type Walk } from './Walk.ts'

/** `declare -a x='($(command))'` reads the string as the list that it spells. Other shells split the value. */
export function isUnreadList(argument: CommandArgument, { emission }: ReadWord, command: Command, walk: Walk): boolean {
  if (!DECLARATION_BUILTINS.has(command.name?.value ?? '')) return false
  const [, name = '', value = ''] = /^'?([A-Za-z_]\w*)\+?=(.*)$/s.exec(emission) ?? []
  if (name === '' || (argument.type === 'Assignment' && argument.value.type === 'ArrayValue')) return false
  const isList = walk.facts.isArray(name) && !/^'?[^'"$(]/.test(value)
  const isSplit = walk.isPosix && /^[^'"]*\$/.test(value.replace(/'[^']*'|"[^"]*"/g, ''))
  if (!isList && !isSplit) return false
  noteOpaquePart(walk, { code: 'word', what: 'expansion', text: argument.text.slice(0, 60) }, command, true)
  return true
}
