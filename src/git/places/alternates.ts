import { existsSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { readRegular } from '../../lib/fs/readRegular.ts'
import { orElse } from '../../lib/orElse.ts'
import { gitPlaces } from './gitPlaces.ts'

/** The size limit for a list of object folders; a larger file is not such a list. */
const MAX_BYTES = 64 * 1024

/** The alternate object folders of one folder, and theirs; gitrepository-layout(5). */
export function alternatesOf(objects: string, found = new Set<string>()): ReadonlySet<string> {
  const list = readRegular(join(objects, 'info', 'alternates'), MAX_BYTES)?.toString('utf8') ?? ''
  for (const line of list.split('\n')) {
    const folder = line === '' ? undefined : resolve(objects, line)
    if (folder === undefined || found.has(folder) || !existsSync(folder)) continue
    found.add(folder)
    alternatesOf(folder, found)
  }
  return found
}

/**
 * The objects that the repository of a workspace shares with others (`git clone --reference`, `--shared`), so far as
 * they are those of a repository. Absolute and resolved.
 */
export function sharedObjects(workspace: string): readonly string[] {
  const own = gitPlaces(workspace).configs.map((config) => join(dirname(config), 'objects'))
  return own
    .flatMap((objects) => [...alternatesOf(objects)])
    .flatMap((folder) => {
      const real = orElse('', () => realpathSync(folder))
      return basename(real) === 'objects' && existsSync(join(dirname(real), 'HEAD')) ? [real] : []
    })
}
