import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** What stands in for bwrap where none starts: it runs the command behind `--`, without a sandbox. */
export const STARTS = 'while [ "$1" != -- ]; do shift; done; shift; exec "$@"'

/** A program that is this script; none for `#`. */
export function addProgram(folder: string, name: string, script: string): string {
  if (script !== '#') writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  return join(folder, name)
}
