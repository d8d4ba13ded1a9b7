import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, lstatSync, readdirSync, readFileSync, readlinkSync, type Stats } from 'node:fs'
import { join } from 'node:path'

/** Everything below a folder: path to what stands there. Names that are not UTF-8 have `\xNN`. */
export type TreeState = ReadonlyMap<string, EntryState>

type EntryState = {
  readonly kind: string
  /** Content hash, or where a link leads. */
  readonly content: string
  readonly mode: string
  readonly owner: string
  readonly links: number
}

/** The state of a folder; `leaveOut` gets paths relative to it. A git folder `.git` is described by what it means, too. */
export function treeState(folder: string, leaveOut: (path: string) => boolean = () => false): TreeState {
  const state = new Map<string, EntryState>()
  const walk = (absolute: Buffer, relative: string): void => {
    for (const name of readdirSync(absolute, { encoding: 'buffer' })) {
      const path = relative === '' ? nameOf(name) : `${relative}/${nameOf(name)}`
      if (leaveOut(path)) continue
      const at = Buffer.concat([absolute, Buffer.from('/'), name])
      const stat = lstatSync(at)
      const entry = () => {
        state.set(path, entryState(at, stat))
        if (stat.isDirectory()) walk(at, path)
      }
      if (isLocked(stat)) withMode(at, { was: stat.mode, now: stat.mode | 0o700 }, entry)
      else entry()
    }
  }
  walk(Buffer.from(folder), '')
  return state
}

/** True for what its own owner may not read or enter; root always may. */
function isLocked(stat: Stats): boolean {
  const needed = stat.isDirectory() ? 0o500 : stat.isFile() ? 0o400 : 0
  return process.getuid?.() !== 0 && (stat.mode & needed) !== needed
}

function withMode(at: Buffer, mode: { readonly was: number; readonly now: number }, work: () => void): void {
  chmodSync(at, mode.now & 0o7777)
  try {
    work()
  } finally {
    chmodSync(at, mode.was & 0o7777)
  }
}

/** Copies a tree with its modes, and also what its owner has locked. */
export function copyLocked(from: string, to: string): void {
  const opened = openLocked(from)
  try {
    execFileSync('cp', ['-aT', from, to])
  } finally {
    for (const { path, mode } of opened.toReversed())
      for (const tree of [from, to]) chmodSync(join(tree, path), mode & 0o7777)
  }
}

/** Opens what is locked, folders before what is in them. */
function openLocked(folder: string, below = ''): { readonly path: string; readonly mode: number }[] {
  if (process.getuid?.() === 0) return []
  return readdirSync(join(folder, below)).flatMap((name) => {
    const path = join(below, name)
    const stat = lstatSync(join(folder, path))
    const own = isLocked(stat) ? [{ path, mode: stat.mode }] : []
    if (own.length > 0) chmodSync(join(folder, path), (stat.mode | 0o700) & 0o7777)
    return [...own, ...(stat.isDirectory() ? openLocked(folder, path) : [])]
  })
}

/** Of larger files only the size is compared. */
const LARGE = 100_000_000

function nameOf(name: Buffer): string {
  const text = name.toString('utf8')
  if (Buffer.from(text).equals(name)) return text
  return [...name].map((byte) => (byte < 0x80 ? String.fromCharCode(byte) : `\\x${byte.toString(16)}`)).join('')
}

function entryState(at: Buffer, stat: Stats): EntryState {
  const shared = {
    mode: (stat.mode & 0o7777).toString(8),
    owner: `${stat.uid}:${stat.gid}`,
    links: stat.isDirectory() ? 1 : stat.nlink,
  }
  if (stat.isFile()) {
    const content =
      stat.size > LARGE ? `${stat.size} bytes` : createHash('sha256').update(readFileSync(at)).digest('hex')
    return { ...shared, kind: 'file', content }
  }
  if (stat.isSymbolicLink()) return { ...shared, kind: 'link', content: readlinkSync(at, 'latin1'), mode: '777' }
  if (stat.isDirectory()) return { ...shared, kind: 'folder', content: '' }
  if (stat.isFIFO()) return { ...shared, kind: 'fifo', content: '' }
  if (stat.isSocket()) return { ...shared, kind: 'socket', content: '' }
  return { ...shared, kind: 'device', content: String(stat.rdev) }
}

/** Nothing of a repository's settings runs. */
export const SAFE_GIT = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null', '-c', 'safe.directory=*']

/** What a repository means: HEAD, refs, index, and whether it is whole. */
export function gitState(project: string): TreeState {
  const git = (...words: string[]): string[] => {
    const env = { PATH: process.env['PATH'], HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1', GIT_OPTIONAL_LOCKS: '0' }
    const options = { cwd: project, env, encoding: 'utf8', stdio: 'pipe' } as const
    const all = [...SAFE_GIT, '--git-dir', join(project, '.git'), ...words]
    return execFileSync('git', all, options).split('\n').slice(0, -1)
  }
  const state = new Map<string, EntryState>()
  const add = (path: string, content: string) =>
    void state.set(`git:${path}`, { kind: 'git', content, mode: '', owner: '', links: 1 })
  try {
    add('HEAD', readFileSync(join(git('rev-parse', '--absolute-git-dir')[0] ?? '', 'HEAD'), 'utf8').trim())
    for (const line of git('for-each-ref', '--format=%(refname) %(objectname) %(symref)')) {
      const [name = '', ...value] = line.split(' ')
      add(name, value.join(' '))
    }
    for (const line of git('-c', 'core.quotePath=false', 'ls-files', '-s', '-v')) {
      const [entry = '', path = ''] = line.split('\t')
      add(`index/${path}`, entry)
    }
    add('fsck', git('fsck', '--no-dangling', '--no-progress', '--connectivity-only').join('\n'))
  } catch (error) {
    add('broken', String(error))
  }
  return state
}

/**
 * How two states differ, sorted: `+` new, `-` gone, `~` other content or kind, `m` only the mode, `o` the owner, `l` the number
 * of names. A folder is only named where nothing below it is.
 */
export function differences(before: TreeState, after: TreeState): string[] {
  const lines: string[] = []
  for (const path of new Set([...before.keys(), ...after.keys()])) {
    const sign = signOf(before.get(path), after.get(path))
    if (sign !== undefined) lines.push(`${sign} ${path}`)
  }
  const isCovered = (line: string): boolean =>
    (line.startsWith('+') || line.startsWith('-')) && lines.some((other) => other.startsWith(`${line}/`))
  return lines.filter((line) => !isCovered(line)).toSorted()
}

function signOf(before: EntryState | undefined, after: EntryState | undefined): string | undefined {
  if (before === undefined) return '+'
  if (after === undefined) return '-'
  if (before.kind !== after.kind || before.content !== after.content) return '~'
  if (before.mode !== after.mode) return 'm'
  if (before.owner !== after.owner) return 'o'
  return before.links === after.links ? undefined : 'l'
}
