import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { deflateSync, inflateSync } from 'node:zlib'
import { diskPath } from '../../lib/fs/diskPath.ts'
import { orElse } from '../../lib/orElse.ts'

export type TreeEntry = { readonly mode: string; readonly oid: string }

/** The objects of a git directory of our own, written and read without git. */
export type GitObjects = ReturnType<typeof openObjects>

export function openObjects(gitDir: string) {
  const fileOf = (oid: string) => join(gitDir, 'objects', oid.slice(0, 2), oid.slice(2))
  const put = (kind: 'blob' | 'tree', content: Uint8Array): string => {
    const header = Buffer.from(`${kind} ${content.length}\0`)
    const oid = createHash('sha1').update(header).update(content).digest('hex')
    const file = fileOf(oid)
    if (existsSync(file)) return oid
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, deflateSync(Buffer.concat([header, content]), { level: 1 }))
    return oid
  }
  const putBlob = (content: Uint8Array) => put('blob', content)
  const putTree = (files: ReadonlyMap<string, TreeEntry>): string => {
    const folders = new Map<string, Map<string, TreeEntry>>()
    const entries: Line[] = []
    for (const [path, entry] of files) {
      const slash = path.indexOf('/')
      if (slash === -1) entries.push({ name: path, entry })
      else {
        const folder = path.slice(0, slash)
        const inside = folders.get(folder) ?? new Map<string, TreeEntry>()
        folders.set(folder, inside.set(path.slice(slash + 1), entry))
      }
    }
    for (const [name, inside] of folders) entries.push({ name, entry: { mode: '40000', oid: putTree(inside) } })
    return put('tree', Buffer.concat(entries.sort(byName).map(lineOf)))
  }
  return {
    /** Stores a content; returns its name. */
    putBlob,
    /** Stores the trees of these files; returns the name of the top one. */
    putTree,
    /** The content of a blob in this directory itself; throws for another. */
    readBlob(oid: string) {
      const bytes = inflateSync(readFileSync(fileOf(oid)))
      return bytes.subarray(bytes.indexOf(0) + 1)
    },
  }
}

/** The name of a content in git. */
export function blobName(content: Uint8Array): string {
  return createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex')
}

type Line = { readonly name: string; readonly entry: TreeEntry }

/** Git's order: by bytes, with a slash added to folder names. */
function byName(a: Line, b: Line): number {
  return Buffer.compare(sortKey(a), sortKey(b))
}

function sortKey({ name, entry }: Line): Buffer {
  return Buffer.from(diskPath(entry.mode === '40000' ? `${name}/` : name))
}

function lineOf({ name, entry }: Line): Buffer {
  return Buffer.concat([Buffer.from(diskPath(`${entry.mode} ${name}\0`)), Buffer.from(entry.oid, 'hex')])
}

const MAX_BYTES = 1024 ** 3

/** True if a loose object's content matches its name. Git does not check this, so it would pass as another. */
export function isValidObject(name: string, bytes: Uint8Array): boolean {
  return orElse(false, () => {
    const oid = name.replace(/^objects\/|\//g, '')
    const hash = createHash(oid.length === 64 ? 'sha256' : 'sha1')
    return hash.update(inflateSync(bytes, { maxOutputLength: MAX_BYTES })).digest('hex') === oid
  })
}
