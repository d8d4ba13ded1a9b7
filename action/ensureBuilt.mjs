// A release tag carries dist/. Any other ref is built in place: locked packages, no install scripts, no secrets around.
import { spawnSync } from 'node:child_process'
import { appendFileSync, existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { causeOf } from './causeOf.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const built = join(root, 'dist', 'action.js')

/** What npm may take; `KODE_RUN_SETUP_SECONDS` is for slow mirrors. */
const LIMIT_SECONDS = Number(process.env.KODE_RUN_SETUP_SECONDS) || 180

/** The URL of the built action; undefined where it is not built. */
export function builtAction() {
  return existsSync(built) ? pathToFileURL(built).href : undefined
}

/** The URL of the built action. Builds it where it is missing, and says so; ends the step where that fails. */
export function ensureBuilt() {
  if (!existsSync(built)) {
    console.log(
      `This ref of kode-run is not built: building it once, in ${LIMIT_SECONDS} s at most. A release tag (@v0) starts at once.`,
    )
    const quiet = ['--no-audit', '--no-fund', '--loglevel=error', '--fetch-retries=1', '--fetch-timeout=60000']
    step('npm', ['ci', '--ignore-scripts', ...quiet], environment(FOR_NPM))
    step(process.execPath, ['scripts/build.mjs'], environment(FOR_ALL))
  }
  return pathToFileURL(built).href
}

function step(program, args, env) {
  const limit = { timeout: LIMIT_SECONDS * 1000, killSignal: 'SIGKILL' }
  const ended = spawnSync(program, args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'pipe'],
    encoding: 'utf8',
    env,
    ...limit,
  })
  process.stderr.write(ended.stderr ?? '')
  if (ended.status === 0) return
  const cause = causeOf(ended, LIMIT_SECONDS)
  console.log(`::error title=kode-run::${program === 'npm' ? 'npm ci' : 'The build'} failed: ${cause}`)
  const { GITHUB_OUTPUT: outputs } = process.env
  if (outputs) appendFileSync(outputs, 'conclusion=failure\nexit_code=70\nexit_reason=internal\n')
  process.exit(70)
}

/** Packages see where programs, caches, proxies and certificates are; not inputs, tokens and keys. */
const FOR_ALL =
  /^(?:HOME|TMPDIR|LANG|LC_\w+|(?:HTTPS?|ALL|NO)_PROXY|NODE_EXTRA_CA_CERTS|NODE_USE_SYSTEM_CA|SSL_CERT_(?:FILE|DIR))$/i

/** npm alone, which runs no script here, also sees how it is configured. */
const FOR_NPM = new RegExp(`${FOR_ALL.source}|^(?:npm_config_.+|NODE_AUTH_TOKEN)$`, 'i')

function environment(kept) {
  const path = [dirname(process.execPath), process.env.PATH ?? ''].join(':')
  return { ...Object.fromEntries(Object.entries(process.env).filter(([name]) => kept.test(name))), PATH: path }
}
