/** What a skill or a command file is filled with. */
export type TemplateValues = {
  /** What was written after its name. */
  readonly given: string
  /** In a command `$1` is the first argument, in a skill `$0`; a command that has `$0` counts like a skill. */
  readonly kind: 'command' | 'skill'
  /** Values of `${NAME}`. */
  readonly variables: Readonly<Record<string, string>>
}

/** A text with the places of commands, whose outputs `withOutputs` puts there. */
export type FilledTemplate = {
  readonly texts: readonly string[]
  /** With its marks, as written, and as it is to run; undefined: a shell would read an argument as more than words. */
  readonly commands: readonly { readonly marked: string; readonly written: string; readonly line: string | undefined }[]
}

/** A command in backticks after `!`, at the start of a line or after white space, or a block of code marked with `!`. */
const COMMAND = /^```!\s*\n([\s\S]*?)\n```[ \t]*$|(?<=^|\s)!`([^`\n]+)`/gm

/**
 * Fills `$ARGUMENTS`, `$ARGUMENTS[N]`, `$N` and `${NAME}` as Claude Code does. Commands are those of the template: what
 * an argument brings is text. A word that is missing stays as it is written. If the template has no place for arguments,
 * they are added at its end. Source: https://code.claude.com/docs/en/skills. Pure.
 */
export function fillTemplate(template: string, values: TemplateValues): FilledTemplate {
  const texts: string[] = []
  const commands: { readonly marked: string; readonly written: string }[] = []
  let from = 0
  for (const match of template.matchAll(COMMAND)) {
    texts.push(template.slice(from, match.index))
    commands.push({ marked: match[0], written: match[1] ?? match[2] ?? '' })
    from = match.index + match[0].length
  }
  texts.push(template.slice(from))
  const first = values.kind === 'skill' || /\$(?:0(?!\w)|ARGUMENTS\[)/.test(template) ? 0 : 1
  const words = wordsOf(values.given)
  const fill = (text: string) => fillText(text, { ...values, first, words })
  const hasPlace = (text: string) => fill(text) !== fillText(text, { ...values, given: '', first, words: [] })
  const filled = texts.map(fill)
  if (values.given !== '' && !hasPlace(template)) filled.push(`${filled.pop() ?? ''}\n\nARGUMENTS: ${values.given}`)
  return {
    texts: filled,
    commands: commands.map((command) => {
      const { written } = command
      return { ...command, line: isPlain(values.given) || !hasPlace(written) ? fill(written) : undefined }
    }),
  }
}

/** True if a shell reads the arguments as words and nothing else, so that they may stand in a command. */
function isPlain(given: string): boolean {
  return /^[\w./:@%+=, -]*$/.test(given)
}

/** The template with the outputs of its commands, in their order, in their places; without outputs, as it is written. */
export function withOutputs({ texts, commands }: FilledTemplate, outputs?: readonly string[]): string {
  const left = [...(outputs ?? [])]
  const shown = commands.map(({ marked, written, line }) => {
    if (outputs === undefined) return marked
    return line === undefined
      ? `[\`${written}\` was not run: its argument has characters that a shell reads]`
      : left.shift()
  })
  return texts.map((text, index) => text + (shown[index] ?? '')).join('')
}

/** The commands that run, in order. */
export function linesOf({ commands }: FilledTemplate): readonly string[] {
  return commands.flatMap(({ line }) => line ?? [])
}

type Filling = TemplateValues & { readonly first: number; readonly words: readonly string[] }

function fillText(text: string, { given, variables, first, words }: Filling): string {
  const places = /\$ARGUMENTS\[(\d+)\]|\$ARGUMENTS(?!\w)|\$(\d)(?!\w)|\$\{(\w+)\}/g
  return text.replace(places, (all: string, index?: string, digit?: string, name?: string) => {
    if (name !== undefined) return variables[name] ?? all
    if (index !== undefined) return words[Number(index)] ?? all
    if (digit !== undefined) return words[Number(digit) - first] ?? all
    return given
  })
}

/** As a shell splits them: quotes hold white space together and go. */
function wordsOf(given: string): readonly string[] {
  const parts = given.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? []
  return parts.map((part) => part.replace(/"([^"]*)"|'([^']*)'/g, (_, a?: string, b?: string) => a ?? b ?? ''))
}
