// Writes dist/types/: the declarations that the library's own reach, with the names that their files have for a user.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const types = join(root, 'dist', 'types')
mkdirSync(join(root, 'dist'), { recursive: true })
const made = mkdtempSync(join(root, 'dist', 'types-'))
try {
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  const project = ['-p', join(root, 'tsconfig.types.json'), '--outDir', made]
  const { status } = spawnSync(process.execPath, [tsc, ...project], { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
  rmSync(types, { recursive: true, force: true })
  for (const [path, text] of reachable('entry/index.d.ts')) {
    mkdirSync(dirname(join(types, path)), { recursive: true })
    writeFileSync(join(types, path), text)
  }
} finally {
  rmSync(made, { recursive: true, force: true })
}

/** What a file imports, and so on: path → text, in which `./x.ts` is called `./x.js`, as the user's compiler knows it. */
function reachable(start) {
  const found = new Map()
  const open = [start]
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (found.has(path) || !existsSync(join(made, path))) continue
    const text = readFileSync(join(made, path), 'utf8')
    found.set(path, text.replace(/(['"])(\.{1,2}\/[^'"]*)\.ts\1/g, '$1$2.js$1'))
    for (const [, , name] of text.matchAll(/(['"])(\.{1,2}\/[^'"]*)\.ts\1/g)) {
      open.push(join(dirname(path), `${name}.d.ts`))
    }
  }
  return found
}
