import { createHash } from 'node:crypto'
import { fstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf, RunError } from '../contracts/errors.ts'
import { READ, withFile } from '../lib/fs/diskPath.ts'
import { visibleName } from '../lib/text/visibleName.ts'

const MAX_FILES = 5_000
const MAX_BYTES = 50_000_000

export type PluginTree = ReadonlyMap<string, { readonly bytes: Buffer; readonly isExecutable: boolean }>

/** All files of a plugin but those of git. Throws `RunError('config')` for what is no regular file, and for too much. */
export function pluginFiles(top: string, path: string): PluginTree {
  const files = new Map<string, { bytes: Buffer; isExecutable: boolean }>()
  let size = 0
  const visit = (folder: string): void => {
    for (const entry of readdirSync(join(top, folder), { withFileTypes: true })) {
      const name = join(folder, entry.name)
      if (entry.name === '.git') continue
      if (entry.isDirectory()) visit(name)
      else if (!entry.isFile()) throw pluginFault(path, `has ${name}, which is no regular file; a plugin has no links`)
      else {
        const file = readFile(join(top, name))
        size += file.bytes.length
        files.set(name, file)
        if (files.size > MAX_FILES || size > MAX_BYTES)
          throw pluginFault(path, `has more than ${MAX_FILES} files, or than ${MAX_BYTES / 1_000_000} MB`)
      }
    }
  }
  try {
    visit('')
  } catch (error) {
    throw error instanceof RunError ? error : pluginFault(path, `cannot be read: ${messageOf(error)}`)
  }
  return new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)))
}

function readFile(path: string): { bytes: Buffer; isExecutable: boolean } {
  return withFile(path, READ, (descriptor) => {
    const stat = fstatSync(descriptor)
    if (!stat.isFile()) throw new Error(`${path} is no regular file`)
    return { bytes: readFileSync(descriptor), isExecutable: (stat.mode & 0o100) !== 0 }
  })
}

/** Of paths, the right to execute, and contents; each part with its length, so that none can pass for another. */
export function hashOf(files: PluginTree): string {
  const hash = createHash('sha256')
  for (const [name, { bytes, isExecutable }] of files)
    hash.update(`${isExecutable ? 'x' : '-'} ${Buffer.byteLength(name)} ${bytes.length}\n${name}`).update(bytes)
  return hash.digest('hex')
}

/** Why a folder cannot be used as a plugin; the problem goes on from its path. */
export function pluginFault(path: string, problem: string): RunError {
  return new RunError('config', visibleName(`The plugin ${path} ${problem}.`))
}
