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
  git('-C', target, 'checkout', '--quiet', '--detach', given['ref'] ?? repository.sha)
}

export function upload(
  { name = '', path = '' }: Readonly<Record<string, string>>,
  workspace: string,
  artifacts: string,
): void {
  const file = path.startsWith('/') ? path : join(workspace, path)
  const found = statSync(file, { throwIfNoEntry: false })
  if (found === undefined) return // A warning, on a runner.
  cpSync(file, found.isDirectory() ? join(artifacts, name) : join(artifacts, name, basename(file)), { recursive: true })
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
