import { basename } from 'node:path'
import type { FileAccess } from '../contracts/files.ts'
import { freePath } from './freePath.ts'
import { type ProgramRunner, writeWorktreePatch } from './gitWorktree.ts'
import { redactBytes } from './redactBytes.ts'

const MAX_PATCH_BYTES = 50_000_000

/** A patch that is kept for the user. */
export type KeptPatch = { readonly path: string; readonly bytes: number }

export type PatchPlaces = {
  /** Reads the patch that git left in the worktree. */
  readonly files: Pick<FileAccess, 'read'>
  readonly artifactFiles: Pick<FileAccess, 'stat' | 'write'>
  /** The folder of artifacts, links resolved. */
  readonly artifacts: string
  redact(text: string): string
}

/** Keeps what was changed in a worktree as a patch among the artifacts, without secrets; undefined where nothing was. */
export async function keepWorktreePatch(
  worktree: string,
  run: ProgramRunner,
  { files, artifactFiles, artifacts, redact }: PatchPlaces,
): Promise<KeptPatch | undefined> {
  const made = await writeWorktreePatch(worktree, run)
  if (made === undefined) return undefined
  const { bytes, size } = await files.read(made, { maxBytes: MAX_PATCH_BYTES })
  if (size > bytes.length)
    throw new Error(`The patch has ${size} bytes, too many to keep. Remove generated files first.`)
  const content = redactBytes(bytes, redact).bytes
  const isThere = async (path: string) => (await artifactFiles.stat(path)) !== undefined
  const path = await freePath(artifacts, `worktree-${basename(made).slice('.kode-'.length)}`, isThere)
  await artifactFiles.write(path, content)
  return { path, bytes: content.length }
}
