import type { RowOptions } from '../EffectRow.ts'

/** Runs the script of the row. */
export const RUN = 'python3 src/w.py'

/** What every script begins with. */
export const HEAD = `import os, shutil, subprocess, ctypes, stat, sys, time, glob, fcntl, mmap
libc = ctypes.CDLL(None, use_errno=True)
def attempt(f, *a):
  try: return f(*a)
  except OSError as e: return e
def call(name, *a):
  r = getattr(libc, name)(*a)
  return r if r >= 0 else -ctypes.get_errno()
`

/** A script of the row that makes system calls: `call` gives what one returned, or its error. */
export const py = (...lines: string[]): RowOptions => ({ files: { 'src/w.py': `${HEAD}${lines.join('\n')}\n` } })
