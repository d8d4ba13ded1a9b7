import { basename } from 'node:path'
import type { FileAccess } from '../../contracts/files.ts'
import { unusedPath } from '../../lib/fs/paths.ts'
import { redactBytes } from '../../lib/secrets/redact.ts'
import type { RunGit } from '../own/ownGit.ts'
import { worktreePatch } from './gitWorktree.ts'

/** A patch that is kept for the user. */
export type SavedPatch = { readonly path: string; readonly bytes: number; readonly content: Uint8Array }

export type PatchPlaces = {
  readonly artifactFiles: Pick<FileAccess, 'stat' | 'write'>
  /** The folder of artifacts, links resolved. */
  readonly artifacts: string
  redact(text: string): string
}

/** Stores the changes in a worktree as a patch among the artifacts, without secrets; undefined without changes. */
export async function saveWorktreePatch(
  worktree: string,
  runGit: RunGit,
  { artifactFiles, artifacts, redact }: PatchPlaces,
): Promise<SavedPatch | undefined> {
  const patch = await worktreePatch(worktree, runGit)
  if (patch === undefined) return undefined
  const content = redactBytes(patch, redact).bytes
  const isThere = async (path: string) => (await artifactFiles.stat(path)) !== undefined
  const path = await unusedPath(artifacts, `worktree-${basename(worktree)}.patch`, isThere)
  await artifactFiles.write(path, content)
  return { path, bytes: content.length, content }
}
