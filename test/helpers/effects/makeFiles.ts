import { mkdirSync, readdirSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makeFolder } from '../makeFolder.ts'

/** Paths with their content: a text, `-> TARGET` for a link; a path with a slash at its end is a folder. */
export type Files = Readonly<Record<string, string | Uint8Array>>

/** A new folder with these files. Resolved. */
export function makeFiles(files: Files = {}): string {
  const folder = makeFolder()
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
