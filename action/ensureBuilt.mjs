// A release tag carries dist/. Any other ref is built in place: locked packages, no install scripts, no secrets around.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const built = join(root, 'dist', 'action.js')

/** The URL of the built action; undefined where it is not built. */
export function builtAction() {
  return existsSync(built) ? pathToFileURL(built).href : undefined
}

/** The URL of the built action. Builds it where it is missing, and says so; ends the step where that fails. */
export function ensureBuilt() {
  if (!existsSync(built)) {
    console.log('This ref of kode-run is not built: building it once. A release tag (@v1) starts at once.')
    step('npm', ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'])
    step(process.execPath, ['scripts/build.mjs'])
  }
  return pathToFileURL(built).href
}

function step(program, args) {
  const { status, error } = spawnSync(program, args, { cwd: root, stdio: 'inherit', env: environment() })
  if (status === 0) return
  console.log(`::error title=kode-run::${[program, ...args].join(' ')} failed (${error?.code ?? status}).`)
  process.exit(70)
}

/** Packages see where programs and caches are; not inputs, tokens and keys. */
function environment() {
  const path = [dirname(process.execPath), process.env.PATH ?? ''].join(':')
  const kept = Object.entries(process.env).filter(([name]) =>
    /^(?:HOME|TMPDIR|LANG|LC_\w+|HTTPS?_PROXY|NO_PROXY|https?_proxy|no_proxy)$/.test(name),
  )
  return { ...Object.fromEntries(kept), PATH: path }
}
