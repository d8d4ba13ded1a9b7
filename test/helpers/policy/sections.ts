import { readFileSync } from 'node:fs'

/** A part of a corpus: its name, its own text, and the files of its project. */
type Section = { readonly name: string; readonly text: string; readonly files: readonly (readonly [string, string])[] }

/** `=== name` starts a section of a corpus, `>>> path` a file. */
export function sectionsOf(corpus: URL): readonly Section[] {
  const parts = readFileSync(corpus, 'utf8').split(/^=== /m).slice(1)
  return parts.map((part) => {
    const [name, body] = firstLine(part)
    const [text = '', ...files] = body.split(/^>>> /m)
    return { name, text, files: files.map(firstLine) }
  })
}

function firstLine(text: string): readonly [string, string] {
  const end = text.indexOf('\n')
  return [text.slice(0, end), text.slice(end + 1)]
}
