import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Tests that start the built CLI need `dist/`; a test run builds it once, unless told that it is fresh. What tests leave in the
 * folder for temporary files goes with the run.
 */
export function setup(): () => void {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'krt-'))
  process.env['TMPDIR'] = folder
  if (process.env['KODE_RUN_SKIP_BUILD'] !== '1' && existsSync('scripts/build.mjs')) {
    execFileSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' })
  }
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
}
