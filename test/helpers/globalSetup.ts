import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** Tests that start the built CLI need `dist/`; a test run builds it once, unless told that it is fresh. */
export function setup(): void {
  if (process.env['KODE_RUN_SKIP_BUILD'] === '1') return
  if (existsSync('scripts/build.mjs')) execFileSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' })
}
