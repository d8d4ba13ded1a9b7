import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import type { RowFolders, RowOptions } from '../EffectRow.ts'
import { writeFiles } from '../makeProject.ts'

/** Runs the script of the row, marked as a command of the agent. */
export const RUN = 'export MARK=1; python3 src/w.py'
/** Leaves a trace if it runs without that mark: something other than the agent's command started it. */
const EVIL = '#!/bin/sh\n[ -n "$MARK" ] || touch BASE/outside/ran\ncat > /dev/null 2>&1 < /dev/null\nexit 0\n'

/** A script of the row that handles objects and indexes of git itself. */
export const py = (...lines: string[]): RowOptions => ({
  files: { 'src/w.py': `import os, shutil, subprocess, zlib, hashlib, struct\n${lines.join('\n')}\n` },
})

/** Puts a script into the project that leaves a trace where something else starts it. */
export function plant({ base, project }: RowFolders, path = 'src/evil.sh'): string {
  writeFiles(project, { [path]: EVIL.replaceAll('BASE', base) })
  chmodSync(join(project, path), 0o755)
  return join(project, path)
}
