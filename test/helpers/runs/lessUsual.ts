/**
 * A run's view without what is the same in a plain run: of the system prompt, the tools and the first record it keeps what
 * was added (`+`) and what is missing (`−`). A prompt that shares less than half of its lines stays whole.
 */
export function lessUsual(view: string, plain: string): string {
  const usual = partsOf(plain)
  return view
    .replace(PROMPT, (whole, text: string) => {
      const lines = difference(text.split('\n'), usual.prompt)
      return lines.length > usual.prompt.length / 2 ? whole : sectionOf('system', lines)
    })
    .replace(TOOLS, (_, names: string) => sectionOf('tools', difference(names.split(' '), usual.tools)))
    .replace(FIRST, (_, text: string) => sectionOf('init', difference(text.split(FIELD), usual.fields)))
    .replace(/^(?:model|max_tokens): .*\n/gm, (line) => (plain.includes(line) ? '' : line))
    .replace(/^integrity .*\n/gm, (line) => (plain.includes(line) ? '' : line))
}

const PROMPT = /^system: ((?:.*\n {2})*.*)\n/gm
const TOOLS = /^tools: (.*)\n/gm
const FIRST = /^init (.*)\n/gm
const FIELD = / (?=[a-zA-Z_]+=)/

function partsOf(plain: string) {
  const [, prompt = ''] = /^system: ((?:.*\n {2})*.*)\n/m.exec(plain) ?? []
  const [, tools = ''] = /^tools: (.*)\n/m.exec(plain) ?? []
  const [, fields = ''] = /^init (.*)\n/m.exec(plain) ?? []
  return { prompt: prompt.split('\n'), tools: tools.split(' '), fields: fields.split(FIELD) }
}

function difference(lines: readonly string[], usual: readonly string[]): string[] {
  return [
    ...usual
      .filter((line) => !lines.includes(line) && !lines.some((each) => keyOf(each) === keyOf(line)))
      .map((line) => `− ${line.trim()}`),
    ...lines.filter((line) => !usual.includes(line)).map((line) => `+ ${line.trim()}`),
  ]
}

const keyOf = (field: string) => /^[a-z_A-Z]+(?==)/.exec(field)?.[0] ?? field

const sectionOf = (name: string, lines: readonly string[]) =>
  lines.length === 0 ? '' : `${name}:\n${lines.map((line) => `  ${line}\n`).join('')}`
