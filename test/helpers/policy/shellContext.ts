import { readlinkSync, realpathSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, resolve } from 'node:path'
import type { PathForms } from '../../../src/contracts/subject.ts'
import type { ShellContext } from '../../../src/shell/walk/Walk.ts'

/** A context for a folder, its links looked up on disk. */
export function shellContext(root: string, home = '/home/nobody'): ShellContext {
  const real = realpathSync(root)
  return { cwd: real, root: real, home, resolve: resolvePath }
}

function resolvePath(given: string, cwd: string): PathForms {
  const lexical = resolve(cwd, given)
  const raw = isAbsolute(given) ? given : `${cwd}/${given}`
  return { given, lexical, resolved: follow(lexical), physical: follow(raw) }
}

/** The real path of the deepest existing part, dangling links followed, `..` walked as the kernel does. */
function follow(path: string, depth = 0): string {
  try {
    return realpathSync.native(path)
  } catch {
    if (path === '/' || depth > 40) return path
  }
  const parent = follow(dirname(path), depth + 1)
  const name = basename(path)
  if (name === '..') return dirname(parent)
  const here = join(parent, name)
  try {
    const target = readlinkSync(here)
    return follow(isAbsolute(target) ? target : `${parent}/${target}`, depth + 1)
  } catch {
    return here
  }
}
