import type { ProjectFiles } from './ProjectFiles.ts'

/** How a project, or a part of it, is built and tested, as far as its manifests say. */
export type Stack = {
  /** What people call it: `npm`, `uv`, `go`. */
  readonly name: string
  /** Folders of its workspace, without its own. */
  readonly members?: readonly string[]
  readonly test?: string | undefined
  /** Linters and the like that its manifest names. */
  readonly linters?: readonly string[]
  /** Installs the dependencies in a workflow. */
  readonly install?: string | undefined
  /** The setup action of GitHub, with its version. */
  readonly setup?: string
  /** An image with its tools, for GitLab. Its distribution packages a recent enough Node. */
  readonly image?: string
  /** Addresses of registries that its manifests name. */
  readonly addresses?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
}

/** The stack whose manifest is in `folder` (`.` is the root); undefined if there is none. */
export type StackFinder = (files: ProjectFiles, folder: string) => Stack | undefined

/** Actions that a written workflow uses besides ours, each by the commit of a release: a tag can be moved. */
export const ACTIONS = {
  checkout: 'actions/checkout@1af3b93b6815bc44a9784bd300feb67ff0d1eeb3 # v6.0.0',
  setupNode: 'actions/setup-node@2028fbc5c25fe9cf00d9f06a71cc4710d4507903 # v6.0.0',
  setupPython: 'actions/setup-python@83679a892e2d95755f2dac6acb0bfd1e9ac5d548 # v6.1.0',
  setupGo: 'actions/setup-go@44694675825211faa026b3c33043df3e48a5fa00 # v6.0.0',
  uploadArtifact: 'actions/upload-artifact@330a01c490aca151604b8cf639adc76d48f6c5d4 # v5.0.0',
  downloadArtifact: 'actions/download-artifact@018cc2cf5baa6db3ef3c5f8a56943fffe632ef53 # v6.0.0',
} as const

/** `web/package.json`, or the name alone at the root. */
export function inFolder(folder: string, name: string): string {
  return folder === '.' ? name : `${folder}/${name}`
}
