import { spawnSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

type NpmPackages = {
  /** Installed with the packages that they need, but no optional ones. */
  readonly whole: readonly string[]
  /** Unpacked alone, in `alone/`: what they need of `whole` they find there. */
  readonly alone?: string
}

/**
 * Packages of the registry in a new folder, without their scripts; `undefined` where no registry answers. Any other
 * failure throws.
 */
export function installPackages({ whole, alone }: NpmPackages): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'packages-'))
  writeFileSync(join(folder, 'package.json'), '{}')
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--fetch-retries=1']
  const npm = (command: string, ...args: readonly string[]) => {
    const run = spawnSync(command, args, { cwd: folder, encoding: 'utf8' })
    if (run.status === 0) return true
    if (/\b(ENOTFOUND|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EAI_AGAIN|ENOTCACHED|ENETUNREACH)\b/.test(run.stderr))
      return false
    throw new Error(`${command} ${args.join(' ')}: ${run.error?.message ?? run.stderr}`)
  }
  const peerless = ['--no-save', '--omit=optional', '--omit=peer', '--legacy-peer-deps', '--prefix', folder]
  if (!npm('npm', 'install', ...peerless, ...quiet, ...whole)) return undefined
  if (alone === undefined) return folder
  if (!npm('npm', 'pack', '--silent', ...quiet, alone)) return undefined
  npm('sh', '-c', 'mkdir alone && tar xzf *.tgz -C alone --strip-components=1')
  return folder
}
