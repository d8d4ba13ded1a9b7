import { execFileSync } from 'node:child_process'
import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { compareBackups } from '../../../src/effects/watch/compareBackups.ts'
import { openBackups } from '../../../src/effects/watch/openBackups.ts'
import { restorePaths } from '../../../src/effects/watch/restorePaths.ts'
import { surveyFiles } from '../../../src/effects/watch/surveyFiles.ts'
import { treeOf } from '../runs/treeOf.ts'
import { RUN_GIT } from '../runs/watchedProject.ts'
import { type Files, makeFiles } from './makeFiles.ts'

/** A checkout `p` with backups of its files, as they are after the lines of a shell. Paths are relative to it. */
export async function backedUp(files: Files, prepare = 'true') {
  const folder = makeFiles({ 'p/': '', ...files })
  const root = join(folder, 'p')
  const at = (path: string) => join(root, path)
  const sh = (script: string) => execFileSync('bash', ['-ec', script], { cwd: root, encoding: 'utf8' })
  sh(prepare)
  const backups = openBackups(join(folder, 'backups'), RUN_GIT)
  onTestFinished(() => backups.close())
  const sight = { roots: [root], repositories: [], isScratch: () => undefined, isWide: true, mayOpen: () => true }
  const survey = () => surveyFiles({ ...sight, known: backups.known })
  const begin = async () => backups.begin(await survey())
  await begin()
  const name = (path: string) => path.slice(root.length + 1)
  const changes = async () => compareBackups(backups.known, await survey())
  return {
    ...{ folder, root, at, sh, name, backups, survey, begin, before: stateOf(root) },
    state: () => stateOf(root),
    /** Lines as `created link a -> b`, `modified file s (set id)`. */
    compare: async () =>
      (await changes()).map(({ kind, entry, path, target, isSetId }) =>
        [`${kind} ${entry} ${name(path)}`, target && `-> ${target}`, isSetId && '(set id)']
          .filter((part) => part)
          .join(' '),
      ),
    /** Undoes all that has changed but what is kept. Returns what it could not. */
    restore: async (isKept: (path: string) => boolean = () => false) => {
      const away = (await changes()).filter(({ path }) => !isKept(name(path)))
      return restorePaths(away, { roots: [root], known: backups.known }).map(name)
    },
  }
}

/** Content, mode and time of each path, in milliseconds; of a folder no time. */
function stateOf(root: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(treeOf(root)).map(([path, text]) => {
      const stat = lstatSync(join(root, path))
      return [path, `${text} ${(stat.mode & 0o7777).toString(8)} ${stat.isFile() ? Math.trunc(stat.mtimeMs) : ''}`]
    }),
  )
}
