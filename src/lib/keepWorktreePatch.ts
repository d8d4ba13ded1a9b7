import { basename } from 'node:path'
import type { FileAccess } from '../contracts/files.ts'
import { freePath } from './freePath.ts'
import { worktreePatch } from './gitWorktree.ts'
import type { RunGit } from './ownGit.ts'
import { redactBytes } from './redactBytes.ts'

/** A patch that is kept for the user. */
export type KeptPatch = { readonly path: string; readonly bytes: number }

export type PatchPlaces = {
  readonly artifactFiles: Pick<FileAccess, 'stat' | 'write'>
  /** The folder of artifacts, links resolved. */
  readonly artifacts: string
  redact(text: string): string
}

/** Keeps what was changed in a worktree as a patch among the artifacts, without secrets; undefined where nothing was. */
export async function keepWorktreePatch(
  worktree: string,
  runGit: RunGit,
  { artifactFiles, artifacts, redact }: PatchPlaces,
): Promise<KeptPatch | undefined> {
  const patch = await worktreePatch(worktree, runGit)
  if (patch === undefined) return undefined
  const content = redactBytes(patch, redact).bytes
  const isThere = async (path: string) => (await artifactFiles.stat(path)) !== undefined
  const path = await freePath(artifacts, `worktree-${basename(worktree)}.patch`, isThere)
  await artifactFiles.write(path, content)
  return { path, bytes: content.length }
}
