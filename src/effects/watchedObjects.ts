import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CheckoutRepository } from './findRepositories.ts'
import { isTrueObject } from './trueObject.ts'

type Stamp = { readonly size: number; readonly ino: number; readonly ctimeMs: number }

/** The objects of a checkout's repositories, by path. */
export type GitObjects = ReadonlyMap<string, Stamp>

const FOLDER = /^(?:[0-9a-f]{2}|pack)$/
const FILE = /^(?:[0-9a-f]{38}|[0-9a-f]{62}|pack-[0-9a-f]+\.(?:pack|idx))$/

/** Names and sizes alone: objects never change, and copies of them would be a second repository. */
export function listGitObjects(repositories: readonly CheckoutRepository[]): GitObjects {
  const found = new Map<string, Stamp>()
  for (const objects of new Set(repositories.map(({ commonDir }) => join(commonDir, 'objects')))) {
    for (const name of namesIn(objects).filter((each) => FOLDER.test(each))) {
      for (const file of namesIn(join(objects, name)).filter((each) => FILE.test(each))) {
        const path = join(objects, name, file)
        const stat = lstatSync(path, { throwIfNoEntry: false })
        if (stat?.isFile() === true) found.set(path, { size: stat.size, ino: stat.ino, ctimeMs: stat.ctimeMs })
      }
    }
  }
  return found
}

/** Says how many objects are gone or are something else; undefined where all can be found, be it in a new pack. */
export function lostObjects(before: GitObjects, now: GitObjects): string | undefined {
  const packs = [...now.keys()].filter((path) => path.endsWith('.idx') && !before.has(path))
  const indexes = packs.map((path) => readFileSync(path))
  const lost = [...before].filter(([path, stamp]) => {
    const [, name = ''] = /\/(objects\/[^/]+\/[^/]+)$/.exec(path) ?? []
    const after = now.get(path)
    if (after === undefined) return !indexes.some((index) => index.includes(oidOf(name)))
    if (after.ctimeMs === stamp.ctimeMs && after.ino === stamp.ino && after.size === stamp.size) return false
    // Git touches what it is asked to store again.
    if (name.startsWith('objects/pack/')) return after.size !== stamp.size
    return after.size !== stamp.size || !isTrueObject(name, readFileSync(path))
  })
  if (lost.length === 0) return undefined
  return `${lost.length} objects of git were removed or changed, and could not be put back`
}

/** Of a pack, something that no index holds. */
function oidOf(name: string): Buffer {
  const hex = name.replace(/^objects\/|\//g, '')
  return /^[0-9a-f]+$/.test(hex) ? Buffer.from(hex, 'hex') : Buffer.alloc(64, 0xff)
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
