/** The YAML between two `---` lines at the very start of a text, empty if there are none, and the text after them. */
export function splitFrontMatter(text: string): { readonly frontMatter: string; readonly body: string } {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/)
  const end =
    lines[0]?.trimEnd() === '---' ? lines.findIndex((line, index) => index > 0 && line.trimEnd() === '---') : -1
  if (end === -1) return { frontMatter: '', body: text }
  return {
    frontMatter: lines.slice(1, end).join('\n'),
    body: lines
      .slice(end + 1)
      .join('\n')
      .trimStart(),
  }
}
