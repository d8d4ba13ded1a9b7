import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import type { RowFolders, Script } from '../EffectRow.ts'
import { writeFiles } from '../makeProject.ts'

/** What every script in Python begins with: `call` makes a system call and gives what it returned, or its error. */
export const HEAD = `import os, shutil, subprocess, ctypes, stat, sys, time, glob, fcntl, mmap, zlib, hashlib, struct, socket
libc = ctypes.CDLL(None, use_errno=True)
def attempt(f, *a):
  try: return f(*a)
  except OSError as e: return e
def call(name, *a):
  r = getattr(libc, name)(*a)
  return r if r >= 0 else -ctypes.get_errno()
`

export const py = (...lines: string[]): Script => ({
  line: 'python3 src/w.py',
  files: { 'src/w.py': `${HEAD}${lines.join('\n')}\n` },
})

/** The same where it does not matter whether it succeeds. */
export const tried = (...lines: string[]): Script => ({ ...py(...lines), line: 'python3 src/w.py; true' })

/** The same, with the mark of a command of the agent: see `plant`. */
export const marked = (...lines: string[]): Script => ({ ...py(...lines), line: 'export MARK=1; python3 src/w.py' })

export const js = (...lines: string[]): Script => ({
  line: 'node src/w.js',
  files: { 'src/w.js': `import fs from 'node:fs'\n${lines.join('\n')}\n` },
})

/** Leaves a trace if it runs without that mark: something other than the agent's command started it. */
const EVIL = '#!/bin/sh\n[ -n "$MARK" ] || touch BASE/outside/ran\ncat > /dev/null 2>&1 < /dev/null\nexit 0\n'

/** Puts a script into the project that leaves a trace where something else starts it. */
export function plant({ base, project }: RowFolders): void {
  writeFiles(project, { 'src/evil.sh': EVIL.replaceAll('BASE', base) })
  chmodSync(join(project, 'src/evil.sh'), 0o755)
}
