import { existsSync, realpathSync } from 'node:fs'
import { basename, delimiter, dirname, join } from 'node:path'
import { isWithin } from '../../lib/fs/isWithin.ts'
import { CERTIFICATE_VARIABLES } from '../environment/childEnvironment.ts'
import { findProgram } from '../environment/childPath.ts'
import { isSystem } from './systemMounts.ts'

export type ToolFolderOptions = {
  /** The children's variables, with their search path. */
  readonly environment: Readonly<Record<string, string>>
  /** Folders that must not become visible as a whole: the home folder, the workspaces. */
  readonly around: readonly string[]
}

/** Variables that name the folder of a toolchain, or a file that it reads. */
const HOMES = [
  ...['JAVA_HOME', 'GOROOT', 'GOPATH', 'CARGO_HOME', 'RUSTUP_HOME', 'VIRTUAL_ENV', 'RUNNER_TOOL_CACHE'],
  ...['PYENV_ROOT', 'RBENV_ROOT', 'NVM_DIR', 'VOLTA_HOME', 'DOTNET_ROOT', 'MAVEN_HOME', 'M2_HOME', 'GRADLE_HOME'],
  ...['ANDROID_HOME', 'PIP_CONFIG_FILE', ...CERTIFICATE_VARIABLES],
]

/** Folders that belong to a program folder next to them. */
const BESIDE = ['lib', 'lib64', 'libexec', 'include', 'share', 'Cellar', 'opt']

/** The program folders that the environment names outside of the system, as named and by real path. */
export function toolFolders({ environment, around }: ToolFolderOptions): readonly string[] {
  const path = environment['PATH'] ?? ''
  const node = findProgram('node', path)
  const named = [...path.split(delimiter), ...(node === undefined ? [] : [dirname(realpathSync(node))])]
  const programs = both(named).flatMap((folder) => [folder, ...besides(folder, around)])
  const homes = both(HOMES.flatMap((name) => environment[name]?.split(delimiter) ?? []))
  const isTooMuch = (folder: string) => folder === '/' || around.some((place) => isWithin(place, folder))
  return [...new Set([...programs, ...homes])].filter((folder) => !isSystem(folder) && !isTooMuch(folder))
}

/** The existing folders and their real paths. */
function both(folders: readonly string[]): string[] {
  return folders
    .filter((folder) => folder.startsWith('/') && existsSync(folder))
    .flatMap((folder) => [folder, realpathSync(folder)])
}

/** A folder called `bin`, except the one of the home folder itself or of `.local`. */
function besides(folder: string, around: readonly string[]): string[] {
  const top = dirname(folder)
  const isOwn = around.some((place) => isWithin(place, top)) || basename(top) === '.local'
  if (isOwn || !/^s?bin$/.test(basename(folder))) return []
  return BESIDE.map((name) => join(top, name)).filter((path) => existsSync(path))
}
