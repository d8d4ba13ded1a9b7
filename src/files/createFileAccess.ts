import { constants, type Stats } from 'node:fs'
import { access, lstat, readdir, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import {
  type FileAccess,
  type FileEntry,
  FileError,
  type FileStat,
  type ReadStamp,
  type WriteOptions,
} from '../contracts/files.ts'
import { nameOfBytes } from '../lib/fs/diskPath.ts'
import { createPlaceCheck, type FilePlaces, type PlaceCheck } from './createPlaceCheck.ts'
import { type Folder, openFolder, openOrMakeFolder } from './openFolder.ts'
import { isSameContent, readRegularFile, requireRegular, stampOf } from './readRegularFile.ts'
import { replaceFile } from './replaceFile.ts'
import { fileError, hasCode, toFileError } from './toFileError.ts'

/**
 * The guard of all in-process file access. It takes resolved paths (`PathForms.resolved`) and opens exactly those. A
 * link anywhere in the path is an error, whether it was put there before or after the decision. Opens only regular
 * files.
 */
export function createFileAccess(places: FilePlaces): FileAccess {
  const check = createPlaceCheck(places)
  return {
    async read(path, options = {}) {
      check(path, 'read')
      return inFolder(path, openFolder, (folder) => readRegularFile(folder, path, options))
    },
    async write(path, content, options = {}) {
      check(path, 'write')
      return inFolder(path, openOrMakeFolder, (folder) => writeFile(folder, path, content, options))
    },
    async stat(path) {
      check(path, 'read')
      return statPath(path)
    },
    async statIn(folder, names) {
      return statEntries(
        folder,
        names.filter((name) => isReadable(check, join(folder, name))),
      )
    },
    async list(path) {
      check(path, 'read')
      return inFolder(path, () => openFolder(path), listFolder)
    },
    async remove(path) {
      check(path, 'write')
      await inFolder(path, openFolder, (folder) => removeFile(folder, path))
    },
  }
}

/** Runs a step inside the folder that is opened: the parent of `path`, or its own. Closes it and makes errors readable. */
async function inFolder<Result>(
  path: string,
  open: (parent: string) => Promise<Folder>,
  step: (folder: Folder) => Promise<Result>,
): Promise<Result> {
  try {
    const folder = await open(dirname(path))
    try {
      return await step(folder)
    } finally {
      await folder.close()
    }
  } catch (error) {
    if (error instanceof FileError && error.code === 'not_found') throw toFileError(error.cause, path)
    throw toFileError(error, path)
  }
}

async function writeFile(
  folder: Folder,
  path: string,
  content: Uint8Array,
  { expect, isExecutable }: WriteOptions,
): Promise<ReadStamp> {
  const name = basename(path)
  const old = await lstat(folder.entry(name)).catch(ignoreMissing)
  if (old) {
    requireRegular(old, path)
    if (old.nlink > 1)
      throw fileError('protected', path, `has ${old.nlink} hard links and may also be elsewhere; it was not written`)
    await access(folder.entry(name), constants.W_OK)
  }
  if (expect) await requireUnchanged(folder, path, expect)
  return stampOf(await replaceFile(folder, name, content, { old, isExecutable }), content)
}

async function requireUnchanged(folder: Folder, path: string, expect: ReadStamp): Promise<void> {
  const { stamp } = await readRegularFile(folder, path, {})
  if (!isSameContent(stamp, expect)) throw fileError('changed', path, 'changed on disk')
}

async function statPath(path: string): Promise<FileStat | undefined> {
  try {
    if (dirname(path) === path) return { ...describe(await lstat(path)) }
    return await inFolder(path, openFolder, async (folder) => describe(await lstat(folder.entry(basename(path)))))
  } catch (error) {
    if (error instanceof FileError && error.code === 'not_found') return undefined
    throw error
  }
}

async function statEntries(path: string, names: readonly string[]): Promise<ReadonlyMap<string, FileStat>> {
  const found = new Map<string, FileStat>()
  if (names.length === 0) return found
  try {
    const folder = await openFolder(path)
    try {
      const stats = await Promise.all(names.map((name) => lstat(folder.entry(name)).catch(ignoreMissing)))
      for (const [index, name] of names.entries()) {
        const stat = stats[index]
        if (stat !== undefined) found.set(name, describe(stat))
      }
    } finally {
      await folder.close()
    }
  } catch (error) {
    if (!(error instanceof FileError)) throw toFileError(error, path)
  }
  return found
}

function isReadable(check: PlaceCheck, path: string): boolean {
  try {
    check(path, 'read')
    return true
  } catch (error) {
    if (error instanceof FileError) return false
    throw error
  }
}

async function listFolder({ self }: Folder): Promise<readonly FileEntry[]> {
  const entries = await readdir(self, { withFileTypes: true, encoding: 'buffer' })
  return entries
    .map((entry) => ({ name: nameOfBytes(entry.name), kind: kindOf(entry) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

async function removeFile(folder: Folder, path: string): Promise<void> {
  const file = folder.entry(basename(path))
  requireRegular(await lstat(file), path)
  await unlink(file)
  await folder.sync()
}

function kindOf(entry: Pick<Stats, 'isFile' | 'isDirectory' | 'isSymbolicLink'>): FileStat['kind'] {
  if (entry.isFile()) return 'file'
  if (entry.isDirectory()) return 'directory'
  return entry.isSymbolicLink() ? 'link' : 'other'
}

function describe(stats: Stats): FileStat {
  const isExecutable = (stats.mode & constants.S_IXUSR) !== 0
  return { kind: kindOf(stats), size: stats.size, mtimeMs: stats.mtimeMs, isExecutable }
}

function ignoreMissing(error: unknown): undefined {
  if (!hasCode(error, 'ENOENT')) throw error
}
