import { execFileSync } from 'node:child_process'
import { cpSync, readdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'

/** A clone, as actions/checkout leaves one; every repository is the same here. */
export function checkout(
  given: Readonly<Record<string, string>>,
  workspace: string,
  repository: { readonly folder: string; readonly sha: string },
): void {
  const target = join(workspace, given['path'] ?? '.')
  const git = (...args: string[]) => execFileSync('git', args, { stdio: 'ignore' })
  git('clone', '--quiet', '--no-local', repository.folder, target)
  const at = given['ref'] ?? repository.sha
  // Without a ref, the branch of the event is checked out, at its commit.
  if (given['ref'] === undefined) git('-C', target, 'checkout', '--quiet', '-B', 'main', at)
  else git('-C', target, 'checkout', '--quiet', '--detach', at)
}

export function upload(
  { name = '', path = '' }: Readonly<Record<string, string>>,
  workspace: string,
  artifacts: string,
): void {
  for (const line of path.trim().split('\n')) {
    const file = line.startsWith('/') ? line : join(workspace, line)
    const found = statSync(file, { throwIfNoEntry: false })
    if (found === undefined) continue // A warning, on a runner.
    const target = found.isDirectory() ? join(artifacts, name) : join(artifacts, name, basename(file))
    cpSync(file, target, { recursive: true })
  }
}

export function download(
  { name, pattern, path = '.', 'merge-multiple': isMerged }: Readonly<Record<string, string>>,
  workspace: string,
  artifacts: string,
) {
  if (name !== undefined) return cpSync(join(artifacts, name), join(workspace, path), { recursive: true })
  const [start = ''] = (pattern ?? '*').split('*')
  for (const folder of readdirSync(artifacts).filter((entry) => entry.startsWith(start))) {
    cpSync(join(artifacts, folder), join(workspace, path, isMerged ? '.' : folder), { recursive: true })
  }
}
