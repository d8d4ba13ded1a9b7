import { mkdtempSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * A new empty folder, resolved. It goes with the whole run of tests (`globalSetup`): a file system that has just removed files
 * takes longer to make the next ones.
 */
export function makeFolder(prefix = 'test-'): string {
  return realpathSync(mkdtempSync(join(tmpdir(), prefix)))
}
