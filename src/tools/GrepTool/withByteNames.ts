import { basename, dirname, join } from 'node:path'
import { LOST } from '../../lib/fs/diskPath.ts'
import { type ToolUseContext, unlessRefused } from '../../Tool.ts'
import type { FileHits } from './SearchQuery.ts'

/**
 * Replaces names that are not UTF-8, whose bytes ripgrep loses, with the escaped names from a listing of their folder.
 * Files that the rules hide, and those in folders with such names, are left out.
 */
export async function withByteNames(found: readonly FileHits[], context: ToolUseContext): Promise<readonly FileHits[]> {
  const out: FileHits[] = []
  const told = new Set<string>()
  for (const file of found) {
    if (!basename(file.path).includes(LOST)) out.push(file)
    else if (!told.has(file.path)) out.push(...(await namesLike(file.path, context)).map((path) => ({ ...file, path })))
    told.add(file.path)
  }
  return out
}

async function namesLike(lost: string, context: ToolUseContext): Promise<readonly string[]> {
  const entries = (await unlessRefused(context.files.list(dirname(lost)))) ?? []
  const paths = entries
    .filter(({ name }) => withLost(name) === basename(lost))
    .map(({ name }) => join(dirname(lost), name))
  return paths.filter((path) => context.mayRead(path))
}

/** An escaped name as lossy decoding would show it. */
function withLost(name: string): string {
  const bytes = name.split(/(\\x[89a-f][0-9a-f])/).map((part) => {
    return /^\\x[89a-f][0-9a-f]$/.test(part) ? Buffer.from(part.slice(2), 'hex') : Buffer.from(part)
  })
  return Buffer.concat(bytes).toString('utf8')
}
