import { existsSync, realpathSync } from 'node:fs'
import { basename, delimiter, dirname, join } from 'node:path'
import { isWithin } from '../lib/isWithin.ts'
import { findProgram } from './childPath.ts'
import { isSystem } from './systemMounts.ts'

export type ToolFolderOptions = {
  /** The children's variables, with their search path. */
  readonly environment: Readonly<Record<string, string>>
  /** Nothing shows that one of these lies in: the home folder, the workspaces. */
  readonly around: readonly string[]
}

/** Variables that name where a toolchain lies. */
const HOMES = ['JAVA_HOME', 'GOROOT', 'GOPATH', 'CARGO_HOME', 'RUSTUP_HOME', 'VIRTUAL_ENV', 'RUNNER_TOOL_CACHE']

/** What lies beside a folder of programs and belongs to them. */
const BESIDE = ['lib', 'lib64', 'libexec', 'include', 'share', 'Cellar', 'opt']

/** The folders outside of the system that the environment names as those of programs, as named and as they really are. */
export function toolFolders({ environment, around }: ToolFolderOptions): readonly string[] {
  const path = environment['PATH'] ?? ''
  const node = findProgram('node', path)
  const named = [...path.split(delimiter), ...(node === undefined ? [] : [dirname(realpathSync(node))])]
  const programs = both(named).flatMap((folder) => [folder, ...besides(folder, around)])
  const homes = both(HOMES.flatMap((name) => environment[name]?.split(delimiter) ?? []))
  const isTooMuch = (folder: string) => folder === '/' || around.some((place) => isWithin(place, folder))
  return [...new Set([...programs, ...homes])].filter((folder) => !isSystem(folder) && !isTooMuch(folder))
}

/** The folders that exist, and where they lead. */
function both(folders: readonly string[]): string[] {
  return folders
    .filter((folder) => folder.startsWith('/') && existsSync(folder))
    .flatMap((folder) => [folder, realpathSync(folder)])
}

/** A folder that is called `bin` and is not the home folder's own or that of `.local`. */
function besides(folder: string, around: readonly string[]): string[] {
  const top = dirname(folder)
  const isOwn = around.some((place) => isWithin(place, top)) || basename(top) === '.local'
  if (isOwn || !/^s?bin$/.test(basename(folder))) return []
  return BESIDE.map((name) => join(top, name)).filter((path) => existsSync(path))
}
