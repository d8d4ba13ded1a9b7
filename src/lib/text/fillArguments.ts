/**
 * The text with `$ARGUMENTS` replaced by all arguments and, in a command, `$1` to `$9` by one word each: in a skill they
 * may be shell code. If the text has no placeholder, the arguments are added at its end. Pure.
 */
export function fillArguments(text: string, given: string, kind: 'command' | 'skill'): string {
  const places = kind === 'command' ? /\$(ARGUMENTS|[1-9])(?!\w)/g : /\$(ARGUMENTS)(?!\w)/g
  const words = given.split(/\s+/)
  if (given !== '' && text.search(places) === -1) return `${text}\n\nARGUMENTS: ${given}`
  return text.replace(places, (_, which: string) => (which === 'ARGUMENTS' ? given : (words[Number(which) - 1] ?? '')))
}
