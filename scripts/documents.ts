import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** A Markdown file for readers: its path from the root, and its text. */
export type Document = { readonly path: string; readonly text: string }

/** README and its neighbors, the maps of the source and of the tests, and everything in docs/. */
export function documents(): Document[] {
  const docs = readdirSync('docs').filter((name) => name.endsWith('.md'))
  const atRoot = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md']
  return [...atRoot, 'src/README.md', 'test/README.md', ...docs.map((name) => `docs/${name}`)]
    .filter((path) => existsSync(path))
    .map((path) => ({ path, text: readFileSync(path, 'utf8') }))
}
