import { execFileSync } from 'node:child_process'
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { CommandEffects, EntryKind, PathChange } from '../../../src/contracts/effects.ts'
import { createJudge, type JudgeOptions } from '../../../src/effects/judge/createJudge.ts'
import type { Ruling } from '../../../src/effects/judge/JudgeChanges.ts'
import { openCheckout } from '../../../src/effects/openCheckout.ts'
import { viewStates } from '../../../src/effects/view/applyView.ts'
import { createGitRunner, type RunGit } from '../../../src/git/own/ownGit.ts'
import { makeFolder } from '../makeFolder.ts'

const IDENTITY = {
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@example.com',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@example.com',
}
const ENVIRONMENT = {
  ...IDENTITY,
  PATH: process.env['PATH'] ?? '',
  ...{ HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_COUNT: '1' },
  ...{ GIT_CONFIG_KEY_0: 'init.defaultBranch', GIT_CONFIG_VALUE_0: 'main' },
}

export type Played = {
  /** `src/a.ts covered`, one line for each change, sorted; objects and logs of git left out. */
  readonly verdicts: readonly string[]
  /** Why something was refused, by path. */
  readonly reasons: Readonly<Record<string, string>>
  /** How often git was started to judge. */
  readonly processes: number
}

/** A checkout, and a copy of it that commands work on as in a view. */
export type PlayedCheckout = {
  readonly root: string
  readonly folder: string
  /** Runs a shell script in the checkout itself, as before the run. */
  prepare(script: string): void
  /** Puts a copy of another checkout in its place. */
  startFrom(other: string): void
  /** Runs a shell script on the copy, and judges what differs. `keep` brings the copy to the checkout afterwards. */
  play(script: string, options?: PlayOptions): Promise<Played>
}

export type PlayOptions = Partial<CommandEffects> & { readonly keep?: boolean }

/**
 * A checkout. `allowed`: patterns of paths that an Edit rule covers. Other options
 * of the judge as they are given.
 */
export function playChanges(
  allowed: RegExp,
  options: (root: string) => Partial<JudgeOptions> = () => ({}),
): PlayedCheckout {
  const folder = makeFolder('changes-')
  const root = join(folder, 'checkout')
  const copy = join(folder, 'copy')
  mkdirSync(root)
  let processes = 0
  const git = createGitRunner(ENVIRONMENT.PATH)
  const runGit: RunGit = (...given) => {
    processes++
    return git(...given)
  }
  const run = (cwd: string, script: string) =>
    execFileSync('bash', ['-ec', script], { cwd, env: ENVIRONMENT, encoding: 'utf8', stdio: 'pipe' })
  const make = () =>
    createJudge({
      checkout: openCheckout([root]),
      writable: [],
      ruled: (path): Ruling => ({ behavior: allowed.test(path.slice(root.length + 1)) ? 'allow' : 'ask' }),
      isProtected: (path) => /\/(?:\.git(?:\/|modules$|attributes$|$)|\.github(?:\/|$)|\.npmrc$)/.test(path),
      never: () => undefined,
      git: { runGit, folder: join(folder, 'own') },
      ...options(root),
    })
  let judge: ReturnType<typeof createJudge> | undefined
  return {
    root,
    folder,
    prepare: (script) => void run(root, script),
    startFrom(other) {
      rmSync(root, { recursive: true })
      execFileSync('cp', ['-a', other, root])
    },
    async play(script, { keep = false, ...effects } = {}) {
      judge ??= make()
      rmSync(copy, { recursive: true, force: true })
      execFileSync('cp', ['-a', root, copy])
      run(copy, script)
      const changes = changesBetween(root, copy)
      processes = 0
      const judged = await judge(changes, {
        effects: { access: 'write', mayChangeGit: true, by: 'tool-1', ...effects },
        states: viewStates([{ lower: root, upper: copy }]),
      })
      if (keep) {
        rmSync(root, { recursive: true })
        execFileSync('cp', ['-a', copy, root])
      }
      const shown = judged.filter(({ change: { path, entry } }) => !isNoise(path.slice(root.length), entry))
      const name = (path: string) => path.slice(root.length + 1)
      return {
        verdicts: shown.map(({ change, verdict }) => `${name(change.path)} ${verdict.kind}`).sort(),
        reasons: Object.fromEntries(
          judged.flatMap(({ change, verdict }) => ('why' in verdict ? [[name(change.path), verdict.why]] : [])),
        ),
        processes,
      }
    },
  }
}

function isNoise(name: string, entry: EntryKind): boolean {
  return name.startsWith('/.git/') && (entry === 'folder' || /^\/\.git\/(?:objects|logs)\//.test(name))
}

/** What a walk of a view would give: every path that two folders do not have alike. */
export function changesBetween(before: string, now: string, below = ''): PathChange[] {
  const [old, young] = [namesIn(join(before, below)), namesIn(join(now, below))]
  return [...new Set([...old, ...young])].sort().flatMap((name) => {
    const path = join(below, name)
    const [was, is] = [entryAt(join(before, path)), entryAt(join(now, path))]
    const inside = was?.entry === 'folder' || is?.entry === 'folder' ? changesBetween(before, now, path) : []
    return [...changeOf(join(before, path), was, is), ...inside]
  })
}

type Entry = { entry: EntryKind; mode: number; content: string; target?: string }

function changeOf(path: string, was: Entry | undefined, is: Entry | undefined): PathChange[] {
  const made = (entry: Entry, kind: PathChange['kind']): PathChange => ({
    ...{ path, kind, entry: entry.entry },
    ...(entry.target !== undefined && kind !== 'deleted' && { target: entry.target }),
    ...((entry.mode & 0o6000) !== 0 && kind !== 'deleted' && { isSetId: true as const }),
  })
  if (was === undefined) return is === undefined ? [] : [made(is, 'created')]
  if (is === undefined) return [made(was, 'deleted')]
  if (was.entry !== is.entry) return [made(was, 'deleted'), made(is, 'created')]
  if (was.content !== is.content) return [made(is, 'modified')]
  return was.mode === is.mode ? [] : [made(is, 'mode')]
}

function entryAt(path: string): Entry | undefined {
  const stat = existsSync(`${dirname(path)}/.`) ? lstatSync(path, { throwIfNoEntry: false }) : undefined
  if (stat === undefined) return undefined
  const mode = stat.mode & 0o7777
  if (stat.isDirectory()) return { entry: 'folder', mode, content: '' }
  if (stat.isSymbolicLink()) return { entry: 'link', mode, content: readlinkSync(path), target: readlinkSync(path) }
  if (stat.isFile()) return { entry: 'file', mode, content: readFileSync(path, 'latin1') }
  return { entry: stat.isFIFO() ? 'fifo' : stat.isSocket() ? 'socket' : 'device', mode, content: '' }
}

function namesIn(folder: string): string[] {
  return entryAt(folder)?.entry === 'folder' ? readdirSync(folder) : []
}
