import { execFileSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'

/** Paths with their content: a text, `-> TARGET` for a link; a path with a slash at its end is a folder. */
export type Files = Readonly<Record<string, string | Uint8Array>>

/** A new folder with these files, until the test ends. Resolved. */
export function makeFiles(files: Files = {}): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'files-')))
  onTestFinished(() => remove(folder))
  writeFiles(folder, files)
  return folder
}

export function writeFiles(folder: string, files: Files): void {
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name)
    mkdirSync(name.endsWith('/') ? path : dirname(path), { recursive: true })
    if (name.endsWith('/')) continue
    if (typeof content === 'string' && content.startsWith('-> ')) symlinkSync(content.slice(3), path)
    else writeFileSync(path, content)
  }
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

/** How many descriptors of this process lead into a folder. */
export function openIn(folder: string): number {
  return readdirSync('/proc/self/fd').filter((name) => {
    try {
      return readlinkSync(`/proc/self/fd/${name}`).startsWith(`${folder}/`)
    } catch {
      return false
    }
  }).length
}
