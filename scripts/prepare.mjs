// Builds before npm packs the package. `npm install -g git+…` hands its `--global` down to the npm that prepares the clone. That one
// leaves the packages out that the build needs, so they are installed here. It also puts a link to the clone in the place of the
// folder that the outer npm has made for the package, and which it fills next: so the folder comes back.
import { spawnSync } from 'node:child_process'
import { lstatSync, mkdirSync, readFileSync, realpathSync, unlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const { npm_config_global: isGlobal, npm_config_global_prefix: prefix } = process.env

function isInstalled(name) {
  try {
    createRequire(import.meta.url).resolve(name)
    return true
  } catch {
    return false
  }
}

function installPackages() {
  const env = { ...process.env }
  for (const name of ['global', 'location', 'prefix', 'local_prefix']) delete env[`npm_config_${name}`]
  const words = ['ci', '--include=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const { status } = spawnSync('npm', words, { cwd: root, env, stdio: 'inherit' })
  if (status !== 0) throw new Error('npm ci failed: the packages that the build needs are not there.')
}

function restoreFolder() {
  const { name } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8'))
  const path = `${prefix}/lib/node_modules/${name}`
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false
  if (!isLink || realpathSync(path) !== realpathSync(root)) return
  unlinkSync(path)
  mkdirSync(path)
}

const isPreparedForGlobal = isGlobal === 'true' && !isInstalled('rolldown')
if (isPreparedForGlobal) installPackages()
await import('./build.mjs')
if (isPreparedForGlobal) restoreFolder()
