import { stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { commonDir, findRepository } from '../../git/own/ownGit.ts'
import { askBeforeReading, protectPaths } from '../../policy/load/loadPolicy.ts'
import type { Policy } from '../../policy/Policy.ts'

/**
 * The policy of a run that also protects the run's own files and a git folder that is not named `.git` (`git init
 * --separate-git-dir`), whose configuration may contain a token.
 */
export async function protectRunFiles(
  policy: Policy,
  ownFiles: readonly string[],
  workspaces: readonly string[],
): Promise<Policy> {
  const folders = (await Promise.all(workspaces.map(gitFolders))).flat()
  const configs = folders.map((folder) => join(folder, 'config'))
  return protectPaths(configs.reduce(askBeforeReading, policy), [...ownFiles, ...folders])
}

async function gitFolders(workspace: string): Promise<readonly string[]> {
  const repository = await findRepository(workspace)
  if (repository === undefined) return []
  const folders = [repository.gitDir, await commonDir(repository.gitDir)]
  const others = [...new Set(folders)].filter((folder) => !folder.split(sep).includes('.git'))
  const stats = await Promise.all(others.map((folder) => stat(join(folder, 'HEAD')).catch(() => undefined)))
  return others.filter((_, index) => stats[index]?.isFile() === true)
}
