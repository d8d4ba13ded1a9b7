import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RunGit } from '../lib/ownGit.ts'

/** A path that two trees do not have alike. */
export type TreeDifference = {
  readonly path: string
  /** Of the newer tree; 000000 where the path is gone. */
  readonly mode: string
  readonly oid: string
}

/** Git in a directory of our own: it reads the objects of a repository, and nothing else of it. */
export type OwnGit = {
  /** What differs between two commits or trees; undefined where git could not tell. No commit stands for no file. */
  difference(before: string | undefined, now: string): Promise<readonly TreeDifference[] | undefined>
  /** True where a commit can be reached from one of these. */
  isReachable(commit: string, from: readonly string[]): Promise<boolean>
  /** True where a pack holds what its index says, under its true name. */
  isTruePack(index: string): Promise<boolean>
  /** A blob as text. */
  blob(oid: string): Promise<string | undefined>
}

export type OwnGitOptions = {
  /** A folder of the run's own; may not exist yet. Git writes there and nowhere else. */
  readonly folder: string
  /** The object folders to read from. */
  readonly objects: readonly string[]
  readonly oidBytes: 20 | 32
  readonly runGit: RunGit
}

const EMPTY_TREE = {
  20: '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
  32: '6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321',
} as const

/** The directory is made anew. What a repository configures is not read: no hook, filter, attribute or config of it. */
export function openOwnGit({ folder, objects, oidBytes, runGit }: OwnGitOptions): OwnGit {
  rmSync(folder, { recursive: true, force: true })
  for (const name of ['objects/info', 'refs']) mkdirSync(join(folder, name), { recursive: true, mode: 0o700 })
  writeFileSync(join(folder, 'HEAD'), 'ref: refs/heads/none\n')
  writeFileSync(join(folder, 'config'), oidBytes === 32 ? `${CONFIG}${SHA256}` : CONFIG)
  writeFileSync(join(folder, 'objects', 'info', 'alternates'), objects.map((path) => `${path}\n`).join(''))
  const environment = {
    GIT_DIR: folder,
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_COUNT: '0',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    LC_ALL: 'C',
  }
  const git = (...args: readonly string[]) => runGit(args, environment)
  return {
    async difference(before, now) {
      const output = join(folder, 'difference')
      const args = ['diff-tree', '-r', '-z', '--raw', '--no-abbrev', '--no-renames', `--output=${output}`]
      const done = await git(...args, before ?? EMPTY_TREE[oidBytes], now)
      return done === undefined ? undefined : parseRaw(readFileSync(output, 'utf8'))
    },
    async isReachable(commit, from) {
      const lines = from.map((oid, index) => `${oid} refs/heads/${index}\n`)
      writeFileSync(join(folder, 'packed-refs'), lines.join(''))
      return (await git('rev-list', '-n', '1', `${commit}^{commit}`, '--not', '--all'))?.trim() === ''
    },
    isTruePack: async (index) => (await git('verify-pack', index)) !== undefined,
    blob: (oid) => git('cat-file', 'blob', oid),
  }
}

const CONFIG = '[core]\n\trepositoryformatversion = 1\n\tbare = true\n\tcommitGraph = false\n\tmultiPackIndex = false\n'
const SHA256 = '[extensions]\n\tobjectformat = sha256\n'

/** `:oldmode newmode oldoid newoid status`, then the path, each with a NUL behind it. */
function parseRaw(raw: string): TreeDifference[] {
  const words = raw.split('\0')
  const found: TreeDifference[] = []
  for (let at = 0; at + 1 < words.length; at += 2) {
    const [, mode = '', , oid = ''] = (words[at] ?? '').split(' ')
    found.push({ path: words[at + 1] ?? '', mode, oid })
  }
  return found
}
