import { readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { Minimatch } from 'minimatch'
import { listTree } from '../../lib/fs/listTree.ts'
import { orElse } from '../../lib/orElse.ts'

export type ProjectFiles = Awaited<ReturnType<typeof openProjectFiles>>

const MAX_BYTES = 1_000_000

/** The files of a project that git tracks or would track. Paths start at the root and use `/`. */
export async function openProjectFiles(root: string) {
  const paths = new Set<string>()
  for await (const [path, stat] of listTree(root, new Set())) {
    if (stat.isFile()) paths.add(path)
  }
  return {
    paths: paths as ReadonlySet<string>,
    /** The text of a file; undefined if it is missing or unreadable. */
    read(path: string): string | undefined {
      const bytes = paths.has(path) ? orElse(undefined, () => readFileSync(join(root, path))) : undefined
      return bytes === undefined || bytes.length > MAX_BYTES ? undefined : bytes.toString('utf8')
    },
    /** Folders that match the globs from a folder and contain a file of this name; `!` excludes. */
    members(from: string, globs: readonly string[], manifest: string): readonly string[] {
      const [against, wanted] = [true, false].map((isAgainst) =>
        globs.flatMap((glob) =>
          glob.startsWith('!') === isAgainst ? new Minimatch(posix.join(from, glob.replace(/^!|\/$/g, ''))) : [],
        ),
      )
      const folders = [...paths].filter((path) => posix.basename(path) === manifest).map(dirname)
      const isOne = (folder: string, list: readonly Minimatch[] = []) => list.some((glob) => glob.match(folder))
      return folders.filter((folder) => folder !== '.' && isOne(folder, wanted) && !isOne(folder, against)).sort()
    },
  }
}
