// Makes a fresh clone ready: installs the locked packages where they are missing, and brings older ones up to the lock file.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const installed = `${root}/node_modules/.package-lock.json`
const packagesOf = (file) => JSON.parse(readFileSync(file, 'utf8')).packages

/** What stands in `node_modules` is of the locked version; packages of other platforms are not there. */
function isUpToDate() {
  const locked = packagesOf(`${root}/package-lock.json`)
  return Object.entries(packagesOf(installed)).every(([path, { version }]) => locked[path]?.version === version)
}

function npm(...words) {
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
  const { status } = spawnSync('npm', [...words, ...quiet], { cwd: root, stdio: 'inherit' })
  process.exitCode = status ?? 1
}

if (!existsSync(installed)) npm('ci')
else if (!isUpToDate()) npm('install', '--no-save')
