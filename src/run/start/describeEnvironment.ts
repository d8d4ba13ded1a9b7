import { release } from 'node:os'
import { join } from 'node:path'
import { environmentNote } from '../../context/environmentNote.ts'
import { readRegular } from '../../lib/fs/readRegular.ts'
import { changedTracked } from '../../lib/git/changedTracked.ts'
import { findRepository } from '../../lib/git/ownGit.ts'
import type { Checkout } from '../../lib/git/readCheckout.ts'

/** Place and time of the run, for the first message of each conversation. Never throws. */
export async function describeEnvironment(cwd: string, { commit }: Checkout, date: Date): Promise<string> {
  const repository = await findRepository(cwd).catch(() => undefined)
  const facts = { date, system: `${process.platform} ${release()}`, commit }
  if (repository === undefined) return environmentNote(facts)
  const { top, gitDir } = repository
  return environmentNote({ ...facts, branch: branchOf(gitDir), changed: await changedOf(top, gitDir) })
}

async function changedOf(top: string, gitDir: string): Promise<readonly string[] | undefined> {
  try {
    return await changedTracked(top, gitDir)
  } catch {
    // An unreadable state is unknown.
    return undefined
  }
}

function branchOf(gitDir: string): string {
  const head = readRegular(join(gitDir, 'HEAD'))?.toString('utf8').trim() ?? ''
  return /^ref: refs\/heads\/(\S+)$/.exec(head)?.[1] ?? 'detached'
}
