import { readFileSync } from 'node:fs'
import type { TestRules } from '../../helpers/policy/judgeCommand.ts'
import { rowsOfText, type TextRow } from '../../helpers/rowsOfText.ts'

/** A line that runs `touch pwned` or the like past the rules, or one of an agent's working day. */
export type Row = TestRules & {
  readonly text: string
  /** Files the project has; `bin/…` ones are executable and on PATH. */
  readonly files: Readonly<Record<string, string>>
  /** It works where it leaves no file `pwned` but this text in its output, or in a file `pwned`. */
  readonly shows: string | undefined
  /** Why it cannot be shown in bash here: a program that is not installed, a terminal, another version. */
  readonly unshown: string | undefined
  /** Its output is not the same twice, or not that of its canonical text. */
  readonly isVolatile: boolean
}

const OPTION = /^(?:((?:allow|deny|edit|secret|unshown|volatile)(?=: \S)|shows)|file (\S.*?)):(?: (.*))?$/

/**
 * The rows of `rows/NAME.txt`, each a command line, with the options that `above` gives to all of them. `⏎` is a new line,
 * `␉`, `␠`, `␛` and the like are what they show, and a line of `#` begins with `\#`. Options are the fields of `Row`, and
 * `file PATH: TEXT`. Lists and the texts of a file add up; else the last one counts. `volatile` is a pattern of lines.
 */
export function readRows(name: string, above = ''): Row[] {
  const text = readFileSync(new URL(`rows/${name}.txt`, import.meta.url), 'utf8')
  return rowsOfText(`${above}\n${text}`).map(toRow)
}

function toRow({ line, shared, below }: TextRow): Row {
  if (/^\s|\s$|\p{Cc}/u.test(line) || OPTION.test(line)) throw new Error(`no row: ${JSON.stringify(line)}`)
  const options = [...shared, ...below].map(toOption)
  const of = (key: string) => options.flatMap((option) => (option.key === key ? [option.text] : []))
  const list = (key: string) => of(key).flatMap((text) => text.split(', '))
  const files: Record<string, string> = {}
  for (const { paths, text } of options) for (const path of paths) files[path] = (files[path] ?? '') + text
  const text = unescaped(line.replace(/^\\#/, '#'))
  if (of('allow').length === 0) throw new Error(`no rules for ${text}`)
  return {
    ...{ text, files, allow: list('allow'), deny: list('deny'), edit: list('edit'), secret: list('secret') },
    shows: of('shows').at(-1) || undefined,
    unshown: of('unshown').at(-1),
    isVolatile: of('volatile').some((pattern) => new RegExp(pattern).test(text)),
  }
}

function toOption(line: string) {
  const [whole, key, paths, text = ''] = OPTION.exec(line) ?? []
  if (whole === undefined) throw new Error(`no option: ${line}`)
  return { key, paths: paths === undefined ? [] : unescaped(paths).split(', '), text: unescaped(text) }
}

function unescaped(text: string): string {
  const shown = (sign: string): string => String.fromCharCode(sign === '␡' ? 0x7f : sign.charCodeAt(0) - 0x2400)
  return text.replaceAll('⏎', '\n').replace(/[␀-␠␡]/g, shown)
}
