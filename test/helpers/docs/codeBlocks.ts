import type { Document } from '../../../scripts/documents.ts'

/** A fenced block of a document: its language, its text, and its place as `path:line`. */
export type CodeBlock = { readonly language: string; readonly text: string; readonly place: string }

/** Every fenced block, in order. */
export function codeBlocksOf({ path, text }: Document): CodeBlock[] {
  return [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(({ 1: language = '', 2: body = '', index }) => ({
    language,
    text: body,
    place: `${path}:${text.slice(0, index).split('\n').length}`,
  }))
}

/** The command lines of a `sh` block: continued lines joined, comments left out. */
export function commandLinesOf({ text }: CodeBlock): string[] {
  return text
    .replaceAll('\\\n', ' ')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
}

/** The words of each call of `kode-run` in a command line; quotes group words, as in a shell. */
export function kodeRunCalls(line: string): string[][] {
  return line.split(/\s\|\s/).flatMap((part) => {
    const words = [...part.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)].map(([word]) =>
      word.replace(/^(['"])(.*)\1$/s, '$2'),
    )
    const at = words.indexOf('kode-run')
    return at === -1 ? [] : [words.slice(at + 1)]
  })
}
