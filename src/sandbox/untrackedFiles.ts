import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { isWithin } from '../lib/isWithin.ts'

/**
 * Of these files of secrets, those that git does not track: whoever has the repository has the others anyway, and an empty
 * file in their place would be committed. Without git on the path none counts as tracked.
 */
export async function untrackedFiles(
  files: readonly string[],
  workspaces: readonly string[],
  path: string,
): Promise<readonly string[]> {
  const lists = await Promise.all(
    workspaces.map((workspace) =>
      trackedFiles(
        workspace,
        files.filter((file) => isWithin(file, workspace)),
        path,
      ),
    ),
  )
  const tracked = new Set(lists.flat())
  return files.filter((file) => !tracked.has(file))
}

async function trackedFiles(workspace: string, files: readonly string[], path: string): Promise<readonly string[]> {
  if (files.length === 0 || !existsSync(join(workspace, '.git'))) return []
  const settings = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'core.fsmonitor', GIT_CONFIG_VALUE_0: 'false' }
  const names = files.map((file) => relative(workspace, file))
  const args = ['-C', workspace, '--literal-pathspecs', 'ls-files', '-z', '--', ...names]
  try {
    const options = { env: { PATH: path, GIT_OPTIONAL_LOCKS: '0', ...settings }, timeout: 10_000 }
    const { stdout } = await promisify(execFile)('git', args, options)
    return stdout.split('\0').map((name) => join(workspace, name))
  } catch {
    return []
  }
}
