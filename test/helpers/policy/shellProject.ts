import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { rgPath } from '@vscode/ripgrep'

export type Files = Readonly<Record<string, string>>

/** What a line did: its output, its end, and every file afterwards. */
export type Effect = {
  readonly stdout: string
  readonly stderr: string
  readonly status: number | null
  readonly files: Readonly<Record<string, string>>
}

/** The same for rows with the same files: rows in this order are filled in once for each of them. */
export function filesKey({ files = {} }: { readonly files?: Files | undefined }): string {
  return JSON.stringify(files)
}

/** A folder to run lines in; the same path each time it is filled. What lies there already is not written again. */
export function createProject(): {
  readonly root: string
  fill(files: Files): void
  run(text: string, isClean?: boolean): Effect
  remove(): void
} {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'kode-run-shell-')))
  /** The files that lie there as they were given; undefined once something ran. */
  let there: string | undefined
  return {
    root,
    fill: (files) => {
      const key = filesKey({ files })
      if (key === there) return
      there = key
      rmSync(root, { recursive: true, force: true })
      mkdirSync(join(root, 'home'), { recursive: true })
      for (const [name, content] of Object.entries(files)) put(root, name, content)
    },
    run: (text, isClean = false) => {
      there = undefined
      return run(root, text, isClean)
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
}

/** `x->` is a link, `.git!` makes a repository of what is there, a content that starts with `#!` is executable. */
function put(root: string, name: string, content: string): void {
  const path = join(root, name.replace(/->$/, ''))
  if (name === '.git!') return
  mkdirSync(dirname(path), { recursive: true })
  if (name.endsWith('->')) symlinkSync(content, path)
  else writeFileSync(path, content.replaceAll('ROOT', root))
  if (content.startsWith('#!')) chmodSync(path, 0o755)
}

/** Two commits on `main`, and a changed file. */
export const REPOSITORY = `git init -q -b main && git add -A && git -c user.name=a -c user.email=a@b commit -qm one --allow-empty &&
git -c user.name=a -c user.email=a@b commit -qm two --allow-empty && git config user.name a && git config user.email a@b`

/** Last on PATH: a machine need not have `rg` of its own. */
const RIPGREP = dirname(rgPath)

function run(root: string, text: string, isClean: boolean): Effect {
  const args = isClean ? ['--noprofile', '--norc', '-p', '-c', text] : ['--noprofile', '--norc', '-c', text]
  const env = {
    PATH: `${root}/bin:/usr/bin:/bin:${RIPGREP}`,
    HOME: `${root}/home`,
    LANG: 'C.UTF-8',
    GIT_CONFIG_NOSYSTEM: '1',
    TZ: 'UTC',
  }
  const ended = spawnSync('bash', args, {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 10_000,
    encoding: 'utf8',
  })
  return {
    stdout: ended.stdout,
    stderr: ended.stderr,
    status: ended.status,
    files: existsSync(root) ? listFiles(root) : {},
  }
}

function listFiles(root: string): Record<string, string> {
  const found: Record<string, string> = {}
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    const name = path.slice(root.length + 1)
    if (name.startsWith('.git/')) continue
    found[name] = entry.isFile() ? readFileSync(path, 'utf8') : entry.isDirectory() ? '/' : '@'
  }
  return found
}
