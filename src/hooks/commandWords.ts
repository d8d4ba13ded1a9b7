type Known = Readonly<Record<string, string>>

/** Words with a special meaning in bash: what follows them is not the first command. */
const RESERVED = /^(?:if|for|while|until|case|select|function|time|coproc|!|\{|\[\[|#.*)$/

/** One word: plain characters, escapes and quoted parts, in any mix. */
const WORD = /^(?:[^\s"'\\|&;<>()]|\\[\s\S]|"(?:[^"\\]|\\[\s\S])*"|'[^']*')+/
const PARTS = /"(?:[^"\\]|\\[\s\S])*"|'[^']*'|(?:[^"'\\]|\\[\s\S])+/g

/**
 * The words of the first simple command of a shell line, up to the first that only the shell knows. Quotes are removed,
 * known variables and a leading `~` are expanded. Undefined if even the first word is uncertain. Pure.
 */
export function commandWords(line: string, known: Known): readonly string[] | undefined {
  const words: string[] = []
  let rest = line.trimStart()
  while (rest !== '' && !/^[|&;<>()\n]/.test(rest)) {
    const text = WORD.exec(rest)?.[0]
    const word = text && resolveWord(text, known)
    if (!text || word === undefined) break
    words.push(word)
    rest = rest.slice(text.length).replace(/^(?:[ \t]|\\\n)+/, '')
  }
  if (rest.startsWith('(')) return undefined
  while (words[0] !== undefined && /^\w+=/.test(words[0])) words.shift()
  if (words[0] === 'exec') words.shift()
  return words[0] === undefined || RESERVED.test(words[0]) ? undefined : words
}

function resolveWord(text: string, known: Known): string | undefined {
  const home = known['HOME']
  const homed = home === undefined ? text : text.replace(/^~(?=\/|$)/, () => `'${home}'`)
  let value = ''
  for (const part of homed.match(PARTS) ?? []) {
    const resolved = resolvePart(part, known)
    if (resolved === undefined) return undefined
    value += resolved
  }
  return value
}

function resolvePart(part: string, known: Known): string | undefined {
  if (part.startsWith("'")) return part.slice(1, -1)
  const isQuoted = part.startsWith('"')
  const inner = (isQuoted ? part.slice(1, -1) : part).replaceAll(
    /\$(?:\{(\w+)\}|(\w+))/g,
    (whole, braced, bare) => known[braced ?? bare] ?? whole,
  )
  // Remaining dollars and backticks and, outside quotes, globs and braces are left to bash.
  const isOpen = isQuoted ? /[$`]/.test(inner) : /[$`*?[\]{}]/.test(inner)
  return isOpen ? undefined : inner.replaceAll(/\\([\s\S])/g, '$1')
}

/** One word of a shell line with its quotes, or a sequence of operators. */
export const TOKEN = /(?:"(?:[^"\\]|\\[\s\S])*"|'[^']*'|\\[\s\S]|[^\s"'\\|&;<>()])+|[|&;()\n]+|[<>]+/g

const OPERATOR = /^[|&;()\n<>]/

/**
 * The words of each simple command of a shell line, including the targets of redirections. Undefined if only the shell
 * knows one of them: a variable, a substitution, a pattern, a reserved word.
 */
export function shellWords(line: string): readonly (readonly string[])[] | undefined {
  const commands: string[][] = [[]]
  for (const [token] of line.matchAll(TOKEN)) {
    if (/^[<>]/.test(token)) continue
    if (OPERATOR.test(token)) {
      commands.push([])
      continue
    }
    const words = commandWords(token, {})
    if (words?.length !== 1 || token.startsWith('~')) return undefined
    commands.at(-1)?.push(...words)
  }
  return commands.filter((words) => words.length > 0)
}
