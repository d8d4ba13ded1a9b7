import { execFile, execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Tests that start the built CLI need `dist/`; a test run builds it once, unless told that it is fresh. What tests leave in the
 * folder for temporary files goes with the run.
 */
export function setup(): (() => Promise<void>) | undefined {
  // Each project of the configuration asks for it; the first one did it for all.
  if (process.env['KODE_RUN_TEST_FOLDER'] !== undefined) return undefined
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'krt-'))
  process.env['TMPDIR'] = folder
  process.env['KODE_RUN_TEST_FOLDER'] = folder
  if (process.env['KODE_RUN_SKIP_BUILD'] !== '1' && existsSync('scripts/build.mjs')) {
    execFileSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' })
  }
  // Views of killed runs have folders that their owner cannot list. Workers end meanwhile: there may be ten thousand files.
  const remove = 'chmod -R u+rwX "$0" 2>/dev/null; rm -rf "$0" || { sleep 1; rm -rf "$0"; }'
  return () => new Promise((resolve) => execFile('sh', ['-c', remove, folder], () => resolve()))
}
