/**
 * The paths that a Markdown text imports as `@path`, in order, without duplicates. Code blocks, code spans and an `@`
 * inside a word (an address) are ignored. Claude Code's syntax: https://code.claude.com/docs/en/memory. Linear.
 */
export function findImports(markdown: string): readonly string[] {
  const found = new Set<string>()
  let fence = ''
  for (const line of markdown.split('\n')) {
    const [, mark = ''] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? []
    if (fence === '') {
      if (mark !== '') fence = mark
      else for (const path of importsOfLine(line)) found.add(path)
    } else if (mark.startsWith(fence)) fence = ''
  }
  return [...found]
}

function importsOfLine(line: string): readonly string[] {
  if (!line.includes('@') || line.startsWith('    ')) return []
  const words = withoutCodeSpans(line).split(/\s+/)
  return words
    .filter((word) => word.startsWith('@'))
    .map((word) => word.slice(1).replace(/[.,;:!?)\]]+$/, ''))
    .filter((path) => path !== '')
}

/** Every other stretch between backticks is code; runs of backticks count as one mark. */
function withoutCodeSpans(line: string): string {
  const stretches = line.split(/`+/)
  return stretches.filter((_, index) => index % 2 === 0 || index === stretches.length - 1).join(' ')
}
