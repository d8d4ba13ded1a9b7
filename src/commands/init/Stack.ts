import type { ProjectFiles } from './ProjectFiles.ts'

/** How a project, or a part of it, is built and tested, as far as its manifests say. */
export type Stack = {
  /** What people call it: `npm`, `uv`, `go`. */
  readonly name: string
  /** Folders of its workspace, without its own. */
  readonly members: readonly string[]
  /** The test command; undefined if none is known. */
  readonly test: string | undefined
  /** Linters and the like that its manifest names. */
  readonly linters: readonly string[]
  /** Installs the dependencies in a workflow. */
  readonly install: string | undefined
  /** The setup action of GitHub, with its version. */
  readonly setup: string | undefined
  /** An image with its tools, for GitLab. Its distribution packages a recent enough Node. */
  readonly image: string | undefined
  /** Addresses of registries that its manifests name. */
  readonly addresses: readonly string[]
  /** What commands need in their environment. */
  readonly environment: Readonly<Record<string, string>>
}

/** The stack whose manifest is in `folder` (`.` is the root); undefined if there is none. */
export type StackFinder = (files: ProjectFiles, folder: string) => Stack | undefined

export const EMPTY_STACK: Omit<Stack, 'name'> = {
  members: [],
  test: undefined,
  linters: [],
  install: undefined,
  setup: undefined,
  image: undefined,
  addresses: [],
  environment: {},
}

/** `web/package.json`, or the name alone at the root. */
export function inFolder(folder: string, name: string): string {
  return folder === '.' ? name : `${folder}/${name}`
}

/** The glob of a workspace, from the root. `!` before it excludes. */
export function globIn(folder: string, glob: string): string {
  return glob.startsWith('!') ? `!${inFolder(folder, glob.slice(1))}` : inFolder(folder, glob)
}
