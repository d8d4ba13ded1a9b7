import { commandWords } from './commandWords.ts'

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
