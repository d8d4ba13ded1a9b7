import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** The git directories of submodules in `modules` of a git directory, however deep: git names them by their paths. */
export function moduleFolders(folder: string): string[] {
  if (!existsSync(folder)) return []
  if (existsSync(join(folder, 'HEAD'))) return [folder, ...moduleFolders(join(folder, 'modules'))]
  const entries = readdirSync(folder, { withFileTypes: true })
  return entries.filter((entry) => entry.isDirectory()).flatMap(({ name }) => moduleFolders(join(folder, name)))
}
