import { basename, extname, join } from 'node:path'

const MAX_TRIES = 1000

/** An unused path in `folder` for a file of that name: `a.txt`, else `a-2.txt`, `a-3.txt` … */
export async function unusedPath(
  folder: string,
  name: string,
  isThere: (path: string) => Promise<boolean>,
): Promise<string> {
  const extension = extname(name)
  const stem = basename(name, extension)
  for (let count = 1; count < MAX_TRIES; count += 1) {
    const path = join(folder, count === 1 ? basename(name) : `${stem}-${count}${extension}`)
    if (!(await isThere(path))) return path
  }
  throw new Error(`There are too many files named ${name}.`)
}
