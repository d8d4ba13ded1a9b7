import { linkSync, lstatSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { hasCode } from '../../files/toFileError.ts'
import type { CheckoutRepository } from '../../git/repository/findRepositories.ts'
import { isValidObject } from '../../git/repository/gitObjects.ts'
import { type GitObjects, listGitObjects, lostObjects, objectName, unpackedObjects } from './watchedObjects.ts'

/** Hard links to git's objects, which never change: a removed object can be restored without a copy. */
export function openObjectLinks(folder: string) {
  const held = new Map<string, { readonly ino: number; readonly name: string }>()
  let count = 0
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const drop = (path: string) => {
    const name = held.get(path)?.name
    if (name !== undefined) rmSync(name, { force: true })
    held.delete(path)
  }
  const hold = (path: string, ino: number) => {
    const name = join(folder, String(count++))
    linkSync(path, name)
    held.set(path, { ino, name })
  }
  return {
    /**
     * Updates the links to these objects; true if one of them got a new link. There are none if `folder` is on another
     * file system.
     */
    keep(objects: GitObjects) {
      let isNew = false
      for (const path of held.keys()) if (!objects.has(path)) drop(path)
      for (const [path, { ino }] of objects) {
        if (held.get(path)?.ino === ino) continue
        drop(path)
        try {
          hold(path, ino)
          isNew = true
        } catch (error) {
          if (hasCode(error, 'EXDEV')) return isNew
        }
      }
      return isNew
    },
    /** True if each of these objects can be restored. */
    holds: (objects: GitObjects) => [...objects].every(([path, { ino }]) => held.get(path)?.ino === ino),
    /** Restores objects of that state. Returns the paths of those that could not be restored. */
    restore(paths: readonly string[], objects: GitObjects) {
      return paths.filter((path) => {
        const [name, stamp] = [held.get(path)?.name, objects.get(path)]
        if (name === undefined || stamp === undefined) return true
        try {
          const { ino, size } = lstatSync(name)
          const object = objectName(path)
          const isPack = object.startsWith('objects/pack/')
          if (ino !== stamp.ino || size !== stamp.size) return true
          if (!isPack && !isValidObject(object, readFileSync(name))) return true
          makeFolders(path, object)
          rmSync(path, { recursive: true, force: true })
          linkSync(name, path)
          return false
        } catch {
          return true
        }
      })
    },
  }
}

/** The objects of a checkout's repositories as they were last noted, with links to them in a folder of the run. */
export function openWatchedObjects(repositories: Promise<readonly CheckoutRepository[]>, folder: string) {
  const links = openObjectLinks(folder)
  let objects: GitObjects = new Map()
  const note = async () => {
    objects = listGitObjects(await repositories)
    if (links.keep(objects)) objects = listGitObjects(await repositories)
  }
  return {
    note,
    /** True if each object that was noted can be restored. */
    areHeld: () => links.holds(objects),
    /** Restores what is lost, and notes what is there then. Reports how many could not be restored. */
    async restore(): Promise<string | undefined> {
      const now = listGitObjects(await repositories)
      const open = unpackedObjects(links.restore(lostObjects(objects, now), objects), objects, now)
      await note()
      return open.length === 0
        ? undefined
        : `${open.length} git objects were removed or changed and could not be restored`
    },
  }
}

/** The folders of an object, from the git directory down: a link in place of one would point elsewhere. */
function makeFolders(path: string, object: string): void {
  const gitDir = path.slice(0, -object.length - 1)
  for (const folder of [gitDir, ...['', 'info', 'pack'].map((name) => join(gitDir, 'objects', name)), dirname(path)]) {
    const stat = lstatSync(folder, { throwIfNoEntry: false })
    if (stat?.isDirectory() === true) continue
    if (stat !== undefined) rmSync(folder)
    mkdirSync(folder)
  }
}
