import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pointsIn } from '../faults/pointsIn.ts'
import { type MessagesServer, startMessagesServer } from '../helpers/model/messagesServer.ts'
import { CLI_TEST_KEY, startCli } from '../helpers/runs/cliRun.ts'
import { FINISH } from '../helpers/runs/playRun.ts'
import type { RowFolders } from './corpus/EffectRow.ts'
import { makeProject } from './corpus/makeProject.ts'
import { CLEAN_PATH, leftProcesses, policyText, removeAll, stateOf } from './corpus/playEffectRow.ts'
import { differences, type TreeState } from './corpus/treeState.ts'

/** System calls that change what is on the disk; a kill comes before the one that is chosen. */
const CALLS =
  '?rename,?renameat,?renameat2,?link,?linkat,?unlink,?unlinkat,?mkdir,?mkdirat,?rmdir,?fchmodat,?chmod,?chown,fsync,fdatasync'

/** A command that changes, makes, removes, renames and re-modes files, replaces folders, and commits. */
const SCRIPT = `import os, shutil, subprocess
for i in range(60): open('src/many/f%d.js' % i, 'w').write('changed')
for i in range(60, 80): os.remove('src/many/f%d.js' % i)
for i in range(80, 90): os.chmod('src/many/f%d.js' % i, 0o755)
for i in range(20): open('src/new%d.js' % i, 'w').write('new')
shutil.move('src/lib', 'src/library')
shutil.rmtree('dist')
os.mkdir('dist')
for i in range(10): open('dist/%d' % i, 'w').close()
os.remove('src/b.js')
os.mkdir('src/b.js')
open('src/b.js/x', 'w').close()
env = {**os.environ, 'GIT_AUTHOR_DATE': '2001-01-01T00:00:00Z', 'GIT_COMMITTER_DATE': '2001-01-01T00:00:00Z'}
subprocess.run(['git', 'add', '-A', 'src'], env=env)
subprocess.run(['git', 'commit', '-qm', 'x'], env=env)
`
const FILES = {
  'src/w.py': SCRIPT,
  ...Object.fromEntries(Array.from({ length: 90 }, (_, index) => [`src/many/f${index}.js`, `${index}\n`])),
}

export type SweepReport = {
  readonly points: number
  /** How many runs ended each way. */
  readonly ends: Readonly<Record<string, number>>
  readonly faults: readonly string[]
}

export type SweepOptions = {
  /** Of all system calls, each so-many-th. */
  readonly every: number
  readonly first?: number
  readonly onPoint?: (text: string) => void
}

/**
 * Kills the real command line at system calls of a run whose command changes many files; a second run in the same place
 * must leave the checkout as it was, or as the whole command leaves it, with nothing beside it and no process.
 */
export async function killSweep({ every, first = 0, onPoint }: SweepOptions): Promise<SweepReport> {
  const whole = await playWhole()
  const points = whole.points.filter((_, index) => index % every === first % every)
  const ends: Record<string, number> = {}
  const faults: string[] = []
  for (const point of points) {
    const end = await killAt(point, whole)
    ends[end] = (ends[end] ?? 0) + 1
    if (end !== 'before' && end !== 'after' && end !== 'recovered') faults.push(`${point}: ${end}`)
    onPoint?.(`${point} ${end}`)
  }
  return { points: points.length, ends, faults }
}

type Whole = { readonly points: readonly string[]; readonly changes: readonly string[] }

async function playWhole(): Promise<Whole> {
  const folders = makeProject(FILES)
  try {
    const before = stateOf(folders)
    const trace = join(folders.base, 'run.jsonl.trace')
    const code = await runUnder(folders, ['-o', trace, '-e', `trace=${CALLS}`])
    if (code !== 0) throw new Error(`the run that is not killed ends with ${code}`)
    const points = pointsIn(readFileSync(trace, 'utf8'))
    return { points, changes: changesOf(before, folders) }
  } finally {
    removeAll(folders.base)
  }
}

async function killAt(point: string, whole: Whole): Promise<string> {
  const folders = makeProject(FILES)
  try {
    const before = stateOf(folders)
    const [name, when] = point.split(':')
    const inject = ['-o', '/dev/null', '-e', `trace=${name}`, '-e', `inject=${name}:signal=SIGKILL:when=${when}`]
    await runUnder(folders, inject)
    const first = nameOf(changesOf(before, folders), whole)
    const code = await runUnder(folders, undefined)
    const changes = changesOf(before, folders)
    const second = nameOf(changes, whole)
    const left = leftProcesses(folders.base)
    if (left.length > 0) return `processes are left: ${left.join()}`
    const state = leftInState(folders)
    if (state.length > 0) return `in the state folder: ${state.join()}`
    if (code !== 0) return `the next run ends with ${code}`
    if (second === 'between') return `between: ${changes.slice(0, 6).join(', ')}`
    return first === 'between' ? 'recovered' : second
  } finally {
    removeAll(folders.base)
  }
}

function nameOf(changes: readonly string[], whole: Whole): 'before' | 'after' | 'between' {
  if (changes.length === 0) return 'before'
  return changes.join('\n') === whole.changes.join('\n') ? 'after' : 'between'
}

/** Which objects git has does not count, nor its logs, nor folders for temporary files that only the end of a run removes. */
const NOTHING = /^. (?:\.git\/(?:objects|logs|COMMIT_EDITMSG)|\.\.\/tmp\/kode-run-)/

function changesOf(before: TreeState, folders: RowFolders): string[] {
  return differences(before, stateOf(folders)).filter((line) => !NOTHING.test(line))
}

/** Views and journals that nobody will come back to. */
function leftInState({ home }: RowFolders): string[] {
  const names = readdirSync(home, { recursive: true, encoding: 'utf8' })
  return names.filter((name) => /(?:^|\/)(?:upper|work|merged|journal[^/]*)$/.test(name))
}

async function runUnder(folders: RowFolders, strace: readonly string[] | undefined): Promise<number | null> {
  const server = await serve(strace !== undefined)
  try {
    const after = { ...folders, transcript: '', summary: join(folders.base, 'summary.md') }
    const env = { PATH: CLEAN_PATH, TMPDIR: join(folders.base, 'tmp') }
    const through = strace === undefined ? {} : { through: ['strace', '-qq', ...strace] }
    const run = await startCli(['do it'], {
      server,
      after,
      policy: policyText({}, 'enforced'),
      env,
      ...through,
    }).ended()
    return run.code
  } finally {
    await server.close()
  }
}

function serve(withCommand: boolean): Promise<MessagesServer> {
  const command = { turn: { tools: [{ name: 'Bash', input: { command: 'python3 src/w.py' } }] } }
  return startMessagesServer([...(withCommand ? [command] : []), { turn: FINISH }], { canaries: [CLI_TEST_KEY] })
}
