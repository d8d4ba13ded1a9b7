/** Why a rule's command is probably not what its author means, and the specifiers to write instead, one per rule. */
export type CommandProblem = { readonly error: string; readonly edits?: readonly string[] }

/** Syntax of other languages that no command matches: outer quotes, regular expressions, lists, prompts, dots. */
export function problemOfCommandText(text: string): CommandProblem | undefined {
  if (PLAIN.test(text) && !text.endsWith('...')) return undefined
  const [, quote, quoted = '', tail = ''] = /^(["'])((?:(?!\1|\\).)*)\1(:\*|[ \t]+\*)?$/s.exec(text) ?? []
  if (quote !== undefined && /\s/.test(quoted) && !quoted.includes('/')) {
    return { error: 'the quotes make it one word; leave them out', edits: [`${quoted}${tail}`] }
  }
  if (/^\^|^\/[^/\s]+\s.*\/$/s.test(text)) {
    return { error: 'regular expressions are not supported; `*` stands for anything', edits: [withoutRegex(text)] }
  }
  if (/^(?:[$%>-]|-[\w-]*)\s/.test(text)) {
    const [, rest = ''] = /^\S+\s+(.*)$/s.exec(text) ?? []
    return { error: 'a rule starts with the name of a command', edits: [rest] }
  }
  if (/\s(?:…|\.{3})$/.test(text)) {
    return { error: 'dots are literal; `*` stands for anything', edits: [text.replace(/\S+$/, '*')] }
  }
  const commands = commandsOf(text)
  if (commands.length === 1 && commands[0] !== text) {
    return { error: 'the character at its end would be part of the command', edits: commands }
  }
  return commands.length > 1 ? { error: 'a rule names one command; write a rule for each', edits: commands } : undefined
}

/** Most rules: nothing to check. */
const PLAIN = /^\w[^"'|,;^$\u2026]*$/

function withoutRegex(text: string): string {
  const inner = text.replace(/^[/^]+/, '').replace(/[$/]+$/, '')
  return `${inner.replace(/\s*\.\*$/, '').replaceAll('.*', '*')} *`
}

/** The commands of a list in one rule: `curl|wget`, `git push*|git reset*`, `curl *, wget *`. */
function commandsOf(text: string): readonly string[] {
  if (!/[|,;]/.test(text) || /["'\\]/.test(text)) return [text]
  const [name = ''] = /^[^\s|,;]*/.exec(text) ?? []
  const isSame = (command: string): boolean => command === name || command.startsWith(`${name} `)
  const parts = text.split(/\s*[|,;]\s*/)
  const [first = '', ...rest] = parts
  const others = rest.filter((part) => part !== '')
  const isRepeated = others.length > 0 && others.every(isSame)
  return first === name || isRepeated || BEHIND_A_STAR.test(text) ? [first, ...others] : [text]
}

/** A list continues or ends after a command that ends in a star. */
const BEHIND_A_STAR = /\*\s*[,;|]\s*(?:$|[a-z][\w.-]*(?:\s|\*?$))/
