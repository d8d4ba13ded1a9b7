import { release } from 'node:os'
import { join } from 'node:path'
import { environmentNote } from '../../context/environmentNote.ts'
import { findRepository } from '../../git/own/ownGit.ts'
import { type DirtyOptions, dirtyFiles } from '../../git/states/dirtyFiles.ts'
import { readRegular } from '../../lib/fs/readRegular.ts'

type Place = { readonly cwd: string; readonly commit: string | null; readonly date: Date; readonly isPart: boolean }

/** Place and time of the run, for the first message of each conversation. Never throws. */
export async function describeEnvironment(
  { cwd, commit, date, isPart }: Place,
  how: Pick<DirtyOptions, 'runGit' | 'except'>,
): Promise<string> {
  const repository = await findRepository(cwd).catch(() => undefined)
  const facts = { date, system: `${process.platform} ${release()}`, commit }
  if (repository === undefined) return environmentNote(facts)
  const dirty = await dirtyFiles({ ...repository, ...how, commit })
  return environmentNote({ ...facts, branch: branchOf(repository.gitDir), dirty, isPart })
}

function branchOf(gitDir: string): string {
  const head = readRegular(join(gitDir, 'HEAD'))?.toString('utf8').trim() ?? ''
  return /^ref: refs\/heads\/(\S+)$/.exec(head)?.[1] ?? 'detached'
}
