import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { gitEnvironment, makeOwnGitDir, type RunGit } from './ownGit.ts'

/** A path that differs between two trees. */
export type TreeDifference = {
  readonly path: string
  /** In the newer tree; 000000 if the path was removed. */
  readonly mode: string
  readonly oid: string
}

/** The differences between two commits. */
export type CommitPair = { readonly commit: string; readonly base: string | undefined }

/** Git in a directory of our own. It reads the objects of a repository and nothing else from it. */
export type OwnGit = ReturnType<typeof openOwnGit>

export type OwnGitOptions = {
  /** A folder of the run; may not exist yet. Git writes only there. */
  readonly folder: string
  /** The object folder of the repository. */
  readonly objects: string
  /** New objects that match their names, by path in the git directory. */
  readonly added: ReadonlyMap<string, Uint8Array>
  /** Where the repository's history ends early. */
  readonly shallow: string
  readonly oidBytes: 20 | 32
  readonly runGit: RunGit
}

const EMPTY_TREE = {
  20: '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
  32: '6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321',
} as const

/** Made anew each time. Nothing of the repository's own configuration is read: hooks, filters, attributes, settings. */
export function openOwnGit({ folder, objects, added, shallow, oidBytes, runGit }: OwnGitOptions) {
  rmSync(folder, { recursive: true, force: true })
  const write = (name: string, content: string | Uint8Array) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true, mode: 0o700 })
    writeFileSync(join(folder, name), content)
  }
  makeOwnGitDir(folder, objects, oidBytes === 32 ? `${CONFIG}${SHA256}` : CONFIG)
  if (shallow !== '') write('shallow', shallow)
  for (const [name, bytes] of added) write(name, bytes)
  const nothing = emptyCommit(oidBytes)
  write(nothing.name, nothing.bytes)
  const { GIT_WORK_TREE: _, GIT_INDEX_FILE: __, ...ours } = gitEnvironment(folder)
  const environment = { ...ours, GIT_DIR: folder, GIT_NO_REPLACE_OBJECTS: '1' }
  const git = (args: readonly string[], input?: string) => runGit(args, environment, undefined, input)
  let outputs = 0
  const toFile = async (args: readonly string[], input?: string) => {
    const output = join(folder, `output-${outputs++}`)
    writeFileSync(output, '')
    return (await git([...args, `--output=${output}`], input)) === undefined ? undefined : readFileSync(output, 'utf8')
  }
  return {
    /** The commits that these object names stand for; undefined if one stands for none. */
    async commits(oids: readonly string[]) {
      const found = await git(['rev-parse', ...oids.map((oid) => `${oid}^{commit}`)])
      return found?.split('\n').slice(0, -1)
    },
    /** The commits reachable from these but not from `tips`, each with its first parent. */
    async newCommits(commits: readonly string[], tips: readonly string[]) {
      write('packed-refs', tips.map((oid, index) => `${oid} refs/heads/${index}\n`).join(''))
      const lines = await toFile(['log', '-s', '--format=%H %P', ...commits, '--not', '--all'])
      return lines?.split('\n').flatMap((line) => {
        const [commit = '', parent = ''] = line.split(' ')
        return commit === '' ? [] : [{ commit, parent: parent === '' ? undefined : parent }]
      })
    },
    /** The differences, in the order given; undefined if git could not tell. Without a base, all files count as new. */
    async differences(pairs: readonly CommitPair[]) {
      const args = ['diff-tree', '--stdin', '--always', '-r', '-z', '--raw', '--no-abbrev', '--no-renames']
      const lines = pairs.map(({ commit, base = nothing.oid }) => `${commit} ${base}\n`)
      const raw = await toFile(args, lines.join(''))
      const found = raw === undefined ? undefined : parseRaw(raw).slice(1)
      const isWhole = found?.length === pairs.length && found.every(({ commit }, at) => commit === pairs[at]?.commit)
      return isWhole ? found.map(({ paths }) => paths) : undefined
    },
    /** True if a pack matches its index and its own name. */
    isTruePack: async (index: string) => (await git(['verify-pack', index])) !== undefined,
    /** A blob as text. */
    blob: (oid: string) => git(['cat-file', 'blob', oid]),
  }
}

const CONFIG = '[core]\n\trepositoryformatversion = 1\n\tbare = true\n\tcommitGraph = false\n\tmultiPackIndex = false\n'
const SHA256 = '[extensions]\n\tobjectformat = sha256\n'

/**
 * What `git diff --raw -z` says: for each commit its name, then for each path `:oldmode newmode oldoid newoid status` and
 * the path, each followed by a NUL. The first group has the paths before any name of a commit.
 */
export function parseRaw(raw: string) {
  const groups: { readonly commit: string; readonly paths: TreeDifference[] }[] = [{ commit: '', paths: [] }]
  const words = raw.split('\0').slice(0, -1).values()
  for (const word of words) {
    const [, mode = '', , oid = ''] = word.split(' ')
    if (word.startsWith(':')) groups.at(-1)?.paths.push({ path: words.next().value ?? '', mode, oid })
    else groups.push({ commit: word, paths: [] })
  }
  return groups
}

/** A commit without files. Compared with it, every path is new. */
function emptyCommit(oidBytes: 20 | 32) {
  const text = `tree ${EMPTY_TREE[oidBytes]}\nauthor x <x> 0 +0000\ncommitter x <x> 0 +0000\n\n`
  const content = Buffer.from(`commit ${text.length}\0${text}`)
  const hash = createHash(oidBytes === 32 ? 'sha256' : 'sha1')
  const oid = hash.update(content).digest('hex')
  return { oid, name: `objects/${oid.slice(0, 2)}/${oid.slice(2)}`, bytes: deflateSync(content) }
}
