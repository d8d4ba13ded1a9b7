import type { Files } from './effects/makeFiles.ts'

/** The rows of a table that is written as text: a line each, its cells between bars. A line that begins with a bar goes on. */
export function table(texts: TemplateStringsArray, ...values: readonly string[]): string[][] {
  const text = texts.map((part, at) => `${part}${values[at] ?? ''}`).join('')
  const lines = text
    .trim()
    .replaceAll(/\n *\|/g, ' |')
    .split('\n')
  return lines.map((line) => `${line.trim()} `.split(/ \|(?= )/).map((cell) => cell.trim()))
}

/** What stands in a cell, between commas. */
export const listOf = (cell: string): string[] => (cell === '' ? [] : cell.split(', '))

/** Files in a cell: `a=x b= l->a d/` is a text, an empty file, a link and a folder. */
export function filesOf(cell: string): Files {
  const names = cell.split(' ').filter((word) => word !== '')
  return Object.fromEntries(
    names.map((word) => {
      const [, name = '', sign, content = ''] = /^(.*?)(?:(=|->)(.*))?$/.exec(word) ?? []
      return [name, sign === '->' ? `-> ${content}` : content]
    }),
  )
}
