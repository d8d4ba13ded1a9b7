import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makeFolder } from '../../helpers/makeFolder.ts'

/** A folder with these files until the test ends, or `onEnd` says. A `/` at the end of a name: an empty folder; `-> x`: a link to x. */
export function newTree(
  files: Readonly<Record<string, string>> = {},
  onEnd?: Parameters<typeof makeFolder>[1],
): string {
  const top = makeFolder('test-', onEnd)
  for (const [name, content] of Object.entries(files)) {
    const path = join(top, name)
    mkdirSync(name.endsWith('/') ? path : dirname(path), { recursive: true })
    if (content.startsWith('-> ')) symlinkSync(content.slice(3), path)
    else if (!name.endsWith('/')) writeFileSync(path, content)
  }
  return top
}
