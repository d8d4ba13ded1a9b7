import { closeSync, lstatSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs'
import { join } from 'node:path'
import type { CheckoutRepository } from './findRepositories.ts'
import { isTrueObject } from './trueObject.ts'

type Stamp = { readonly size: number; readonly ino: number; readonly ctimeMs: number; readonly pack?: PackHead }
/** How many objects a pack has, and the name of its first. */
type PackHead = { readonly count: number; readonly first: Buffer }

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
        if (stat?.isFile() !== true) continue
        const pack = name === 'pack' ? packHead(path.replace(/pack$/, 'idx')) : undefined
        found.set(path, { size: stat.size, ino: stat.ino, ctimeMs: stat.ctimeMs, ...(pack && { pack }) })
      }
    }
  }
  return found
}

/** Says how many objects are gone or are something else; undefined where all can be found, be it in a new pack. */
export function lostObjects(before: GitObjects, now: GitObjects): string | undefined {
  const packs = [...now.keys()].filter((path) => path.endsWith('.idx') && !before.has(path))
  const indexes = packs.map((path) => readFileSync(path)).filter(({ length }) => length > COUNT_AT + 4)
  const lost = [...before].filter(([path, stamp]) => {
    const [, name = ''] = /\/(objects\/[^/]+\/[^/]+)$/.exec(path) ?? []
    const after = now.get(path)
    if (after === undefined) {
      const { count, first } = stamp.pack ?? { count: 1, first: Buffer.from(name.replace(/^objects\/|\//g, ''), 'hex') }
      return !indexes.some(
        (index) => first.length > 0 && index.readUInt32BE(COUNT_AT) >= count && index.includes(first),
      )
    }
    if (after.ctimeMs === stamp.ctimeMs && after.ino === stamp.ino && after.size === stamp.size) return false
    // Git touches what it is asked to store again.
    if (name.startsWith('objects/pack/')) return after.size !== stamp.size
    return after.size !== stamp.size || !isTrueObject(name, readFileSync(path))
  })
  if (lost.length === 0) return undefined
  return `${lost.length} objects of git were removed or changed, and could not be put back`
}

/** In an index of a pack, by gitformat-pack(5): the last of the counts, behind which the names stand. */
const COUNT_AT = 8 + 255 * 4
const OID_BYTES = 20

function packHead(index: string): PackHead | undefined {
  try {
    const file = openSync(index, 'r')
    try {
      const head = Buffer.alloc(COUNT_AT + 4 + OID_BYTES)
      if (readSync(file, head) < head.length) return undefined
      return { count: head.readUInt32BE(COUNT_AT), first: head.subarray(COUNT_AT + 4) }
    } finally {
      closeSync(file)
    }
  } catch {
    return undefined
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
