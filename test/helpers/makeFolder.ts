import { execFileSync } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A new empty folder, resolved, until the test ends; or until `onEnd` says, as `afterAll` does for all tests of a file. */
export function makeFolder(prefix = 'test-', onEnd: (clean: () => void) => void = onTestFinished): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), prefix)))
  onEnd(() => remove(folder))
  return folder
}

/** Also what a test has locked. */
function remove(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true })
  } catch {
    execFileSync('chmod', ['-R', 'u+rwX', folder])
    rmSync(folder, { recursive: true, force: true })
  }
}
