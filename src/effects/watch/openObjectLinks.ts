import { linkSync, lstatSync, mkdirSync, readFileSync, readSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { hasCode } from '../../files/toFileError.ts'
import type { CheckoutRepository } from '../../git/repository/findRepositories.ts'
import { isValidObject } from '../../git/repository/gitObjects.ts'
import { statOf, withFile } from '../../lib/fs/diskPath.ts'
import { namesIn } from '../../lib/fs/folders.ts'
import { holdFolders, removeEntry } from '../../lib/fs/openFolderHandle.ts'
import { orElse } from '../../lib/orElse.ts'
import { makeRealFolder } from './restorePaths.ts'

/**
 * The objects of the repositories as last noted or judged, with hard links to them in a folder of the run. Objects never
 * change: a removed one is restored without a copy. There are no links if `folder` is on another file system.
 */
export function openWatchedObjects(repositories: readonly CheckoutRepository[], folder: string) {
  const links = new Map<string, { readonly ino: number; readonly name: string }>()
  let objects: GitObjects = new Map()
  let count = 0
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const drop = (path: string) => {
    const name = links.get(path)?.name
    if (name !== undefined) rmSync(name, { force: true })
    links.delete(path)
  }
  const stampAnew = () => {
    objects = new Map([...objects.keys()].flatMap(stamped))
  }
  const keep = () => {
    let isNew = false
    for (const path of links.keys()) if (!objects.has(path)) drop(path)
    for (const [path, { ino }] of objects) {
      if (links.get(path)?.ino === ino) continue
      drop(path)
      const name = join(folder, String(count++))
      try {
        linkSync(path, name)
        links.set(path, { ino, name })
        isNew = true
      } catch (error) {
        if (hasCode(error, 'EXDEV')) break
      }
    }
    // A new link is a change of the object.
    if (isNew) stampAnew()
  }
  const isRestored = (path: string): boolean =>
    orElse(false, () => {
      const [name = '', stamp] = [links.get(path)?.name, objects.get(path)]
      const { ino, size } = lstatSync(name)
      if (ino !== stamp?.ino || size !== stamp.size || !(isPack(path) || isObject(name, path))) return false
      putObject(name, path)
      return true
    })
  return {
    /** Notes all that are there: no command works. */
    note() {
      objects = listGitObjects(repositories)
      keep()
    },
    /** True for an object that was there or was judged. */
    isNoted: (path: string) => objects.has(path),
    /** Adds new ones that were judged. */
    accept(paths: readonly string[]) {
      const added = paths.filter(isObjectFile).flatMap(stamped)
      objects = new Map([...objects, ...added])
      if (added.length > 0) keep()
    },
    /** True if each object that was noted can be restored. */
    areHeld: () => [...objects].every(([path, { ino }]) => links.get(path)?.ino === ino),
    /** Restores what is lost. Reports how many could not be restored. */
    restore(): string | undefined {
      const now = listGitObjects(repositories)
      const lost = lostObjects(objects, now).filter((path) => !isRestored(path))
      const open = unpackedObjects(lost, objects, now)
      stampAnew()
      keep()
      return open.length === 0
        ? undefined
        : `${open.length} git objects were removed or changed and could not be restored`
    },
  }
}

/** Makes the folders of an object, from the git directory down, and the object in them. */
function putObject(name: string, path: string): void {
  const gitDir = path.slice(0, -objectName(path).length - 1)
  const made = ['', 'info', 'pack'].map((each) => join(gitDir, 'objects', each))
  const folders = holdFolders()
  try {
    for (const folder of [gitDir, ...made, dirname(path)]) makeRealFolder(folders.entry(folder))
    if (statOf(path) !== undefined) removeEntry(folders.hold(dirname(path)), basename(path))
    linkSync(name, folders.entry(path))
  } finally {
    folders.close()
  }
}

type Stamp = { readonly size: number; readonly ino: number; readonly ctimeMs: number; readonly pack?: PackHead }
/** How many objects a pack has, and the name of the first one. */
type PackHead = { readonly count: number; readonly first: Buffer }

/** The objects of a checkout's repositories, by path. */
export type GitObjects = ReadonlyMap<string, Stamp>

const FOLDER = /^(?:[0-9a-f]{2}|pack)$/
const FILE = /^(?:[0-9a-f]{38}|[0-9a-f]{62}|pack-[0-9a-f]+\.(?:pack|idx))$/

/** Only names and sizes: objects never change, and copies would double the repository. */
export function listGitObjects(repositories: readonly CheckoutRepository[]): GitObjects {
  const found = new Map<string, Stamp>()
  for (const gitDir of new Set(repositories.map(({ commonDir }) => commonDir))) {
    const objects = join(gitDir, 'objects')
    // A link's target may be removed later.
    if (![gitDir, objects].every(isFolder)) continue
    for (const name of namesIn(objects).filter((each) => FOLDER.test(each))) {
      for (const file of namesIn(join(objects, name)).filter((each) => FILE.test(each))) {
        for (const [path, stamp] of stamped(join(objects, name, file))) found.set(path, stamp)
      }
    }
  }
  return found
}

/** An object with its stamp; nothing if it is gone, or no regular file. */
function stamped(path: string): readonly (readonly [string, Stamp])[] {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (stat?.isFile() !== true) return []
  const pack = isPack(path) ? packHead(path.replace(/pack$/, 'idx')) : undefined
  return [[path, { size: stat.size, ino: stat.ino, ctimeMs: stat.ctimeMs, ...(pack && { pack }) }]]
}

/** True for the name of an object or pack. */
export function isObjectFile(path: string): boolean {
  const [, folder = '', file = ''] = objectName(path).split('/')
  return FOLDER.test(folder) && FILE.test(file)
}

/** The missing or changed objects, by path. */
export function lostObjects(before: GitObjects, now: GitObjects): readonly string[] {
  const lost = [...before].filter(([path, stamp]) => {
    const after = now.get(path)
    if (after === undefined) return true
    if (after.ctimeMs === stamp.ctimeMs && after.ino === stamp.ino && after.size === stamp.size) return false
    // Git updates the times of an object that it is asked to store again.
    return after.size !== stamp.size || !(isPack(path) || isObject(path, path))
  })
  return lost.map(([path]) => path)
}

/**
 * Those of these lost objects that no new pack claims to have. A command can forge such a claim: it is asked only about
 * objects that cannot be restored.
 */
export function unpackedObjects(lost: readonly string[], before: GitObjects, now: GitObjects): readonly string[] {
  const packs = [...now.keys()].filter((path) => path.endsWith('.idx') && !before.has(path))
  const indexes = packs.map((path) => readFileSync(path)).filter(({ length }) => length > COUNT_AT + 4)
  return lost.filter((path) => {
    if (now.has(path)) return true
    const oid = path.split('/').slice(-2).join('')
    const { count, first } = before.get(path)?.pack ?? { count: 1, first: Buffer.from(oid, 'hex') }
    return !indexes.some((index) => first.length > 0 && index.readUInt32BE(COUNT_AT) >= count && index.includes(first))
  })
}

/** `objects/ab/cdef…`, or `objects/pack/…`. */
export function objectName(path: string): string {
  return /\/(objects\/[^/]+\/[^/]+)$/.exec(path)?.[1] ?? ''
}

function isPack(path: string): boolean {
  return objectName(path).startsWith('objects/pack/')
}

/** Whether a file has the content of the loose object that is called like a path. */
function isObject(file: string, path: string): boolean {
  return isValidObject(objectName(path), readFileSync(file))
}

/** In a pack index, by gitformat-pack(5): the last of the counts, which the names follow. */
const COUNT_AT = 8 + 255 * 4
const OID_BYTES = 20

function packHead(index: string): PackHead | undefined {
  const head = Buffer.alloc(COUNT_AT + 4 + OID_BYTES)
  const length = orElse(0, () => withFile(index, 'r', (file) => readSync(file, head)))
  if (length < head.length) return undefined
  return { count: head.readUInt32BE(COUNT_AT), first: head.subarray(COUNT_AT + 4) }
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}
