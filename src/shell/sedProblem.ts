import type { Word } from '../contracts/subject.ts'

/** Why a sed call is not covered: options or script commands beyond those that only print. */
export function sedProblem(argv: readonly Word[]): string | undefined {
  const scripts: string[] = []
  const operands: string[] = []
  for (let index = 1; index < argv.length; index += 1) {
    const word = argv[index]
    if (word === undefined) break
    const value = word.kind === 'literal' ? word.value : undefined
    if (value === undefined || value === '-' || !value.startsWith('-')) operands.push(value ?? '\0')
    else if (/^-[nErsu]*e$/.test(value)) {
      index += 1
      const script = argv[index]
      scripts.push(script?.kind === 'literal' ? script.value : '\0')
    } else if (!/^-[nErsu]+$/.test(value)) return `sed ${value} is not judged`
  }
  const script = scripts.length > 0 ? scripts.join('\n') : operands[0]
  if (script === undefined) return 'sed without a script'
  return isPrinting(script) ? undefined : 'sed: only p, d, q, = and plain s/…/…/ are covered by a rule with a wildcard'
}

/** Brackets that all seds end at the same place; one that holds the delimiter is not among them. */
const BRACKET = String.raw`\[\^?\]?(?:[^\]\[\\\n/]|\\[^\]\[\n/]|\[:[a-z]+:\])*\]`
const REGEX = String.raw`\/(?:\\[^\n]|[^/\\\n\[]|${BRACKET})*\/I?`
const FIRST_ADDRESS = new RegExp(String.raw`^(?:\d+(?:~\d+)?|\$|${REGEX})`)
const SECOND_ADDRESS = new RegExp(String.raw`^\s*,\s*(?:[+~]?\d+|\$|${REGEX})`)
const WHOLE_PATTERN = new RegExp(String.raw`^(?:\\[^\n]|[^\\\n\[]|${BRACKET.replaceAll('/]', ']')})*$`)

/** True for scripts of `[addr[,addr]][!]command` with the commands p, d, q, = and s. */
function isPrinting(script: string): boolean {
  let rest = script
  while (rest !== '') {
    rest = rest.replace(/^[\s;]+/, '')
    if (rest === '') return true
    if (FIRST_ADDRESS.test(rest)) rest = rest.replace(FIRST_ADDRESS, '').replace(SECOND_ADDRESS, '')
    rest = rest.replace(/^\s*!?\s*/, '')
    const command = /^(?:[pd=]|q\d*)/.exec(rest)?.[0] ?? substitution(rest)
    if (command === undefined) return false
    rest = rest.slice(command.length)
    if (!/^[ \t]*(?:[;\n]|$)/.test(rest)) return false
  }
  return true
}

/** A whole `s` command with harmless flags; brackets that hold the delimiter are read differently by different seds. */
function substitution(text: string): string | undefined {
  const delimiter = text.charAt(1)
  if (!text.startsWith('s') || !/[/|#,:@!%+~^]/.test(delimiter)) return undefined
  const pattern = readPart(text, 2, delimiter)
  const replacement = pattern === undefined ? undefined : readPart(text, pattern + 1, delimiter)
  if (pattern === undefined || replacement === undefined) return undefined
  if (!WHOLE_PATTERN.test(text.slice(2, pattern))) return undefined
  return text.slice(0, replacement + 1) + (/^[gpiI0-9]*/.exec(text.slice(replacement + 1))?.[0] ?? '')
}

/** The index of the next delimiter that no backslash escapes. */
function readPart(text: string, start: number, delimiter: string): number | undefined {
  for (let index = start; index < text.length; index += 1) {
    if (text[index] === '\\') index += 1
    else if (text[index] === '\n') return undefined
    else if (text[index] === delimiter) return index
  }
  return undefined
}
