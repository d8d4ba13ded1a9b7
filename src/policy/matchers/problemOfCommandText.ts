/** Why a rule's command is not what its author means, and the specifiers to write instead, each as a rule of its own. */
export type CommandProblem = { readonly error: string; readonly edits?: readonly string[] }

/** Forms of other languages that no command fits: quotes around the whole, regular expressions, lists, prompts, dots. */
export function problemOfCommandText(text: string): CommandProblem | undefined {
  if (PLAIN.test(text) && !text.endsWith('...')) return undefined
  const [, quote, quoted = '', tail = ''] = /^(["'])((?:(?!\1|\\).)*)\1(:\*|[ \t]+\*)?$/s.exec(text) ?? []
  if (quote !== undefined && /\s/.test(quoted) && !quoted.includes('/')) {
    return { error: 'the quotes make one word of it; leave them out', edits: [`${quoted}${tail}`] }
  }
  if (/^\^|^\/[^/\s]+\s.*\/$/s.test(text)) {
    return { error: 'regular expressions are not known here; `*` stands for anything', edits: [withoutRegex(text)] }
  }
  if (/^(?:[$%>-]|-[\w-]*)\s/.test(text)) {
    const [, rest = ''] = /^\S+\s+(.*)$/s.exec(text) ?? []
    return { error: 'a rule starts with the name of a command', edits: [rest] }
  }
  if (/\s(?:…|\.{3})$/.test(text)) {
    return { error: 'dots stand for themselves; `*` stands for anything', edits: [text.replace(/\S+$/, '*')] }
  }
  const commands = commandsOf(text)
  if (commands.length === 1 && commands[0] !== text) {
    return { error: 'the sign at its end would be a part of the command', edits: commands }
  }
  return commands.length > 1 ? { error: 'a rule names one command; write a rule for each', edits: commands } : undefined
}

/** What most rules are: nothing to look for. */
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

/** A list goes on, or ends, where a star ended a command. */
const BEHIND_A_STAR = /\*\s*[,;|]\s*(?:$|[a-z][\w.-]*(?:\s|\*?$))/
