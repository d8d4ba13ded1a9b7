import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { messageOf } from '../../../src/contracts/errors.ts'
import { type MessagesServer, type Step, startMessagesServer } from '../../helpers/model/messagesServer.ts'
import { CLI_TEST_KEY, type CliRun, startCli } from '../../helpers/runs/cliRun.ts'
import { NO_NAMESPACES } from '../../helpers/runs/noNamespaces.ts'
import { FINISH, toldTo } from '../../helpers/runs/playRun.ts'
import type { CallInput, EffectMode, EffectRow, Expected, RowFolders, RowPolicy } from './EffectRow.ts'
import { makeProject } from './makeProject.ts'
import { differences, gitState, type TreeState, treeState } from './treeState.ts'

export type PlayedEffect = {
  readonly row: EffectRow
  readonly mode: EffectMode
  readonly outcome: 'as expected' | 'OTHERWISE' | 'skipped'
  /** What was otherwise, line by line, or why it was not played. */
  readonly problems: readonly string[]
  /** What the model was told, for people who look into a row. */
  readonly told: readonly string[]
}

/** Why the row is not played in this mode, or here. */
export function notFor(row: EffectRow, mode: EffectMode): string | undefined {
  const watched = typeof row.watched === 'string' ? row.watched : undefined
  return row.skip ?? { enforced: row.enforced, watched, landlock: row.landlock ?? watched }[mode]
}

/** Plays one row through the built command line, against a loopback API. Never throws. */
export async function playEffectRow(row: EffectRow, mode: EffectMode): Promise<PlayedEffect> {
  const reason = notFor(row, mode)
  if (reason !== undefined) return { row, mode, outcome: 'skipped', problems: [reason], told: [] }
  const folders = makeProject(row.files)
  try {
    const { problems, told } = await playIn(folders, row, mode)
    return { row, mode, outcome: problems.length === 0 ? 'as expected' : 'OTHERWISE', problems, told }
  } catch (error) {
    return { row, mode, outcome: 'OTHERWISE', problems: [`threw: ${messageOf(error)}`], told: [] }
  } finally {
    removeAll(folders.base)
  }
}

/** What a run makes beside the project: its record and its policy. */
const OWN =
  /^(?:run\.jsonl.*|summary\.md|policy\.yml|blobs|state(?:\/|$)|tmp\/kode-run-(?:claims|account|landlock)[^/]*(?:\/|$)|home\/\.(?:local|cache|npm)(?:\/|$))/

async function playIn(folders: RowFolders, row: EffectRow, mode: EffectMode) {
  row.prepare?.(folders)
  const before = stateOf(folders)
  const { run, told } = await playOnce(folders, row, mode, row.messages)
  if (row.again !== undefined) await playOnce(folders, row, mode, [row.again])
  const left = leftProcesses(folders.base)
  const problems = [
    ...expectedChanges(row, mode, before, folders),
    ...row.expected.flatMap((expected, index) =>
      saidProblems(watchedOf(row, mode, expected), told[index] ?? '(no result)'),
    ),
    ...deniedProblems(row, mode, run),
    ...recordProblems(row, mode, run, told),
    ...(left.length === 0 ? [] : [`processes are left: ${left.join(', ')}`]),
  ]
  const also = row.also?.(folders)
  return { problems: also === undefined ? problems : [...problems, also], told: [...told, run.stderr] }
}

async function playOnce(folders: RowFolders, row: EffectRow, mode: EffectMode, messages: EffectRow['messages']) {
  const steps: Step[] = messages.map((calls) => ({ turn: { tools: calls.map(toToolUse) } }))
  const server = await startMessagesServer(({ index }) => steps[index] ?? { turn: FINISH }, {
    canaries: [CLI_TEST_KEY],
  })
  try {
    const after = { ...folders, transcript: '', summary: join(folders.base, 'summary.md') }
    const policy = policyText(row.policy, mode)
    const env = { PATH: CLEAN_PATH, TMPDIR: join(folders.base, 'tmp') }
    const through = mode === 'landlock' ? NO_NAMESPACES : []
    const run = await startCli([...(row.args ?? []), 'do it'], { server, after, policy, env, through }).ended()
    return { run, told: toldOf(server, messages.flat().length) }
  } finally {
    await server.close()
  }
}

/** What the model was told of the row's calls: a run whose checks fail asks it once more. */
function toldOf(server: MessagesServer, calls: number): string[] {
  return toldTo(server).slice(0, calls)
}

/** Programs of the system alone: shims of a home folder are slow, and not there in the sandbox. */
export const CLEAN_PATH = `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`

function toToolUse(call: CallInput) {
  return typeof call === 'string' ? { name: 'Bash', input: { command: call } } : call
}

/** Bash and two folders, as the simplest good policy has it. */
const SIMPLE: RowPolicy = { allow: ['Bash', 'Edit(src/**)', 'Edit(test/**)'] }

export function policyText(policy: RowPolicy = {}, mode: EffectMode): string {
  const list = (rules: readonly string[] = []): string => `[${rules.map((rule) => JSON.stringify(rule)).join(', ')}]`
  const sandbox = { enforced: 'mode: required, network: none', watched: 'mode: off', landlock: 'mode: auto' }[mode]
  const more = mode === 'enforced' && policy.sandbox !== undefined ? `, ${policy.sandbox}` : ''
  return `version: 1
permissions:
  allow: ${list(policy.allow ?? SIMPLE.allow)}
  deny: ${list(policy.deny)}
run: { maxDenials: 1000, maxTurns: 200, backgroundWait: 1s }
sandbox: { ${sandbox}${more} }
${policy.more ?? ''}`
}

export function stateOf({ base, project }: RowFolders): TreeState {
  const state = new Map<string, TreeState extends ReadonlyMap<string, infer Entry> ? Entry : never>()
  for (const [path, entry] of treeState(base, (path) => OWN.test(path) || /^[0-9a-f-]{36}\.jsonl/.test(path))) {
    if (path === 'project/.git/index' || path === 'project') continue
    state.set(path.startsWith('project/') ? path.slice('project/'.length) : `../${path}`, entry)
  }
  for (const [path, entry] of gitState(project)) state.set(path, entry)
  return state
}

/** Files of `.git` that change with what it means. */
const MEANT =
  /^.{1,2}\.git\/(?:objects|logs|refs|HEAD$|packed-refs$|ORIG_HEAD$|COMMIT_EDITMSG$|FETCH_HEAD$|AUTO_MERGE$|[A-Z]+_(?:HEAD|MSG|MODE|RR)$|rr-cache|worktrees|info\/refs$)/

function expectedChanges(row: EffectRow, mode: EffectMode, before: TreeState, folders: RowFolders): string[] {
  // The repository of a linked worktree is a part of the checkout, wherever it lies.
  const isOutside = mode === 'landlock' && row.group !== 'git, a linked worktree'
  const isHeld = (line: string) => isOutside && line.slice(2).startsWith('../')
  const all = row.expected.flatMap((each) => watchedOf(row, mode, each).changes).toSorted()
  const expected = all.filter((line) => !isHeld(line))
  let seen: string[]
  try {
    const found = seenChanges(row, before, stateOf(folders), expected.some(isMeaning))
    seen = mode !== 'enforced' ? found.filter((line) => !LEFT_WHEN_WATCHED.test(line)) : found
  } catch (error) {
    return [`the tree cannot be read afterwards: ${messageOf(error)}`]
  }
  const problems = [
    ...seen.filter((line) => !expected.includes(line)).map((line) => `unexpected change: ${line}`),
    ...expected.filter((line) => !seen.includes(line)).map((line) => `missing change: ${line}`),
  ]
  for (const [path, text] of Object.entries(row.holds ?? {})) {
    const found = readText(join(folders.project, path))
    if (found !== text) problems.push(`${path} holds ${JSON.stringify(found)}, not ${JSON.stringify(text)}`)
  }
  return problems
}

/** Objects that nothing names, and lines of logs, stay where a command is put back. */
const LEFT_WHEN_WATCHED = /^(?:\+ \.git\/objects\/(?:[0-9a-f]{2}|pack)\/|[+~] \.git\/logs\/)/

const isMeaning = (line: string): boolean => line.slice(2).startsWith('git:')

/** The differences that count: not the files of `.git` where their meaning is compared, not what the row tolerates. */
export function seenChanges(row: EffectRow, before: TreeState, after: TreeState, includesGit: boolean): string[] {
  const mayChangeGit = includesGit || row.gitMayMove === true
  return differences(before, after).filter(
    (line) => !(mayChangeGit && MEANT.test(line)) && row.tolerates?.test(line) !== true,
  )
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

function watchedOf(row: EffectRow, mode: EffectMode, expected: Expected): Expected {
  return mode !== 'enforced' && typeof row.watched === 'object' ? row.watched : expected
}

const NOTHING_KEPT = /Nothing that this command changed was kept/
const LEFT_OUT = /left out|not kept|not taken over/i

function saidProblems({ end, names }: Expected, told: string): string[] {
  const isUndone = NOTHING_KEPT.test(told)
  const isLeftOut = !isUndone && LEFT_OUT.test(told)
  const wanted: Record<Expected['end'], boolean> = {
    kept: !isUndone && !isLeftOut,
    undone: isUndone,
    leftOut: isLeftOut,
    denied: !isUndone && !isLeftOut,
    stopped: true,
    any: true,
  }
  const missing = names.filter((name) => !told.includes(name))
  return [
    ...(wanted[end] ? [] : [`the result does not read as ${end}: ${told}`]),
    ...(missing.length === 0 ? [] : [`the result does not name ${missing.join(', ')}: ${told}`]),
  ]
}

function deniedProblems(row: EffectRow, mode: EffectMode, run: CliRun): string[] {
  const ends = row.expected.map((expected) => watchedOf(row, mode, expected).end)
  if (ends.includes('any')) return []
  const wanted = ends.filter((end) => end !== 'kept').length
  const count = run.result().permission_denials.length
  return count === wanted ? [] : [`${count} permission denials, not ${wanted}`]
}

function recordProblems(row: EffectRow, mode: EffectMode, run: CliRun, told: readonly string[]): string[] {
  const result = run.result()
  const all = told.join('\n')
  const { hidden, shows } = row
  const isShown = shows === undefined || (typeof shows === 'string' ? all.includes(shows) : shows.test(all))
  // A row whose every change is refused did nothing, and says so.
  const isHeld = mode === 'landlock' && row.group === 'elsewhere'
  const isNothing = run.code === 3 && result.detail.startsWith('Completed, says the agent;')
  return [
    ...(row.exit === 'any' || isHeld || run.code === (row.exit ?? 0) || (row.exit === undefined && isNothing)
      ? []
      : [`exit code ${run.code}: ${result.detail}\n${run.stderr}`]),
    ...(result.sandbox === WALLS[mode] ? [] : [`the sandbox is ${result.sandbox}`]),
    ...(hidden !== undefined && mode === 'enforced' && all.includes(hidden) ? [`the model was told ${hidden}`] : []),
    ...(isShown ? [] : [`the model was not told ${String(shows)}: ${all}`]),
  ]
}

const WALLS = { enforced: 'enforced', watched: 'off', landlock: 'advisory' } as const

/** Processes that work below a folder. */
export function leftProcesses(base: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => {
      try {
        return readlinkSync(`/proc/${pid}/cwd`).startsWith(base)
      } catch {
        return false
      }
    })
    .map((pid) => `${pid} ${readText(`/proc/${pid}/cmdline`)?.replaceAll('\0', ' ')}`)
}

/** Removes a tree whatever its modes are, and however deep it is. */
export function removeAll(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true })
  } catch {
    execFileSync('chmod', ['-R', 'u+rwx', folder], { stdio: 'ignore' })
    execFileSync('rm', ['-rf', folder], { stdio: 'ignore' })
  }
}
