import type { ProjectFiles } from './ProjectFiles.ts'
import { readToml, textsIn, valueIn } from './readToml.ts'
import { EMPTY_STACK, inFolder, type Stack } from './Stack.ts'

/** A cargo project, with the members of its workspace. */
export function cargoStack(files: ProjectFiles, folder: string): Stack | undefined {
  const manifest = readToml(files, inFolder(folder, 'Cargo.toml'))
  if (manifest === undefined) return undefined
  const globs = [
    ...textsIn(valueIn(manifest, 'workspace', 'members')),
    ...textsIn(valueIn(manifest, 'workspace', 'exclude')).map((glob) => `!${glob}`),
  ]
  const all = manifest['workspace'] === undefined ? '' : ' --workspace'
  return {
    ...EMPTY_STACK,
    name: 'cargo',
    members: files.members(globs, 'Cargo.toml'),
    test: `cargo test${all}`,
    linters: [`cargo clippy${all}`],
    install: 'cargo fetch',
    image: 'rust:1-trixie',
  }
}
