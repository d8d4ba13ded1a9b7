import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { importsOf } from '../test/helpers/architecture.ts'

/** Of a module of which others use more than this, a list of names would tell nobody anything. */
const MOST = 0.5

/** A table of what others import of each module that keeps most of its files to itself. */
export function moduleDoors(): string {
  const paths = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'))
  const moduleOf = (path: string) => path.split('/')[0] ?? ''
  const doors = new Set<string>()
  for (const path of paths)
    for (const name of importsOf({ path: `src/${path}`, text: readFileSync(`src/${path}`, 'utf8') })) {
      const other = name.replace(/^src\//, '')
      if (name !== other && moduleOf(other) !== moduleOf(path)) doors.add(other)
    }
  const rows = [...new Set(paths.filter((path) => path.includes('/')).map(moduleOf))].sort().flatMap((module) => {
    const own = paths.filter((path) => moduleOf(path) === module)
    const open = own.filter((path) => doors.has(path)).sort()
    if (open.length === 0 || open.length > MOST * own.length) return []
    return foldersOf(open).flatMap(([folder, names]) => {
      const count = folder === module ? ` (${open.length} of ${own.length})` : ''
      return inRows(names).map((some, at) => `| ${at === 0 ? `\`${folder}\`${count}` : ''} | ${some.join(' ')} |`)
    })
  })
  return ['| folder (files open, of all) | what others import |', '|---|---|', ...rows].join('\n')
}

/** The names of files by their folders. */
function foldersOf(paths: readonly string[]): readonly (readonly [string, readonly string[]])[] {
  const folders = [...new Set(paths.map((path) => dirname(path)))].sort()
  return folders.map((folder) => [
    folder,
    paths.filter((path) => dirname(path) === folder).map((path) => basename(path, '.ts')),
  ])
}

/** A row of a document is at most 120 characters long. */
function inRows(names: readonly string[]): readonly (readonly string[])[] {
  const rows: string[][] = [[]]
  for (const name of names) {
    if ((rows.at(-1)?.join(' ').length ?? 0) + name.length > 80) rows.push([])
    rows.at(-1)?.push(`\`${name}\``)
  }
  return rows
}
