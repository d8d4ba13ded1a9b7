import { join, relative } from 'node:path'
import type { EffectsReport } from '../../contracts/effects.ts'
import type { CheckEvent, CheckLeftover, RunEvent } from '../../contracts/events.ts'
import { describeEffects } from '../../effects/describeEffects.ts'
import { WORKTREE_FOLDER } from '../../git/states/gitWorktree.ts'
import { resultBeforeAbort } from '../../lib/async/resultBeforeAbort.ts'
import { isWithin } from '../../lib/fs/isWithin.ts'
import { counted } from '../../lib/text/words.ts'
import { checkFailure, leftoverWords } from '../../report/words.ts'
import { spellWord } from '../../shell/words/quoteWord.ts'
import { withVariables } from '../effects/commandsOfCall.ts'
import type { Session } from '../Session.ts'

const CHECK_TIMEOUT_MS = 20 * 60_000
const BASH = ['--noprofile', '--norc', '-p', '-c']
const SHOWN_CHARS = 6000

/** The results of the checks of one attempt. `message` describes the failures to the agent. */
export type CheckRound = { readonly isGood: boolean; readonly failed: readonly string[]; readonly message: string }

/**
 * Runs the check commands one after the other in each of `checkedFolders`, after those that prepare them. Yields the
 * result of each. Behind a failed preparation no check runs, and without a check nothing is prepared.
 */
export async function* runChecks(session: Session, attempt: number): AsyncGenerator<RunEvent, CheckRound, undefined> {
  const { commands, prepare } = session.policy.settings.checks
  const failures: CheckEvent[] = []
  for (const folder of commands.length === 0 ? [] : await checkedFolders(session)) {
    const ground = openGround(session, folder)
    let isPrepared = true
    try {
      if (prepare.length > 0) await ground.clear()
      for (const [index, command] of [...prepare, ...commands].entries()) {
        const isCheck = index >= prepare.length
        if (session.signal.aborted || (isCheck && !isPrepared)) break
        yield { type: 'system', subtype: 'activity', text: `check ${command}`, parent_tool_use_id: null }
        const event = await runCheck(session, { command, folder, attempt, ground, isCheck })
        yield event
        if (event.ok) continue
        failures.push(event)
        isPrepared &&= isCheck
      }
    } finally {
      await ground.close()
    }
  }
  const words = failures.map(
    ({ command, exit_code, output }) =>
      `\`${command}\` failed ${checkFailure(exit_code)}${output.trim() === '' ? ' and no output.' : `:\n${output.trimEnd()}`}`,
  )
  return { isGood: failures.length === 0, failed: failures.map(({ command }) => command), message: words.join('\n\n') }
}

/** The worktree in which the run ends, so far as it works in one, and the project if anything changed there. */
async function checkedFolders({ config, place, checkout, transactions, signal }: Session): Promise<readonly string[]> {
  if (place.cwd === config.cwd) return [config.cwd]
  const report = await resultBeforeAbort(transactions.account.report(), signal)
  const worktrees = join(config.cwd, WORKTREE_FOLDER)
  const isUnchanged = report?.changes.every(({ path }) => isWithin(join(checkout.top, path), worktrees)) === true
  return isUnchanged ? [place.cwd] : [config.cwd, place.cwd]
}

type Check = {
  readonly command: string
  readonly folder: string
  readonly attempt: number
  readonly ground: ReturnType<typeof openGround>
  readonly isCheck: boolean
}

async function runCheck(session: Session, { command, folder, attempt, ground, isCheck }: Check): Promise<CheckEvent> {
  const root = session.config.cwd
  const done = await session.children.commands.run({
    ...withVariables(
      { file: 'bash', args: [...BASH, command], env: ground.environment },
      session.variables,
      session.policy,
    ),
    cwd: folder,
    effects: { access: 'scratch', mayChangeGit: false, by: `check ${command}`, home: ground.home },
    timeoutMs: CHECK_TIMEOUT_MS,
    signal: session.signal,
  })
  const isCut = done.isTimedOut || done.isAborted
  const ended = done.isTimedOut ? '\n(timed out)' : done.isAborted ? '\n(cut off by the end of the run)' : ''
  const { effects } = done
  const words = effects === undefined ? '' : wordsOf(effects, folder)
  const isGood = done.exitCode === 0 && !isCut && done.startError === undefined && !isTainted(effects)
  const leftovers = isCheck ? ground.leftovers() : []
  const isDoubtful = isGood && leftovers.length > 0 && session.policy.settings.checks.leftovers === 'fail'
  const doubt = isDoubtful ? `\n${leftoverWords(leftovers)} The policy says \`checks.leftovers: fail\`.` : ''
  const output = `${done.startError ?? ''}${done.stdout.text}${done.stderr.text}${ended}${words}${doubt}`
  return {
    type: 'system',
    subtype: 'check',
    command: folder === root ? command : `cd ${spellWord(relative(root, folder))} && ${command}`,
    attempt,
    ok: isGood && !isDoubtful,
    exit_code: done.exitCode,
    duration_ms: Math.round(done.durationMs),
    output: output.length > SHOWN_CHARS ? `…${output.slice(-SHOWN_CHARS)}`.toWellFormed() : output,
    ...(leftovers.length > 0 && { leftovers }),
  }
}

/** True if a check changed files that no rule covers: it may have rewritten what it checks, and proves nothing. */
function isTainted(effects: EffectsReport | undefined): boolean {
  return effects !== undefined && (effects.undone.length > 0 || effects.unknown !== undefined)
}

function wordsOf(effects: EffectsReport, root: string): string {
  const words = describeEffects(effects, root)
  if (words === '') return ''
  return isTainted(effects) ? `\n${words} A check that changes other files fails.` : `\n${words}`
}

function openGround({ children, transactions, resumed, signal }: Session, folder: string) {
  const fresh = children.sandbox.freshHome?.()
  const { account, unseen } = transactions
  const { commands } = children
  const files = () =>
    account
      .ignoredFiles()
      .filter(({ path }) => isWithin(path, folder) && !isWithin(path, join(folder, WORKTREE_FOLDER)))
  return {
    /** A home that no command of the run has written, where there is a sandbox or Landlock. */
    home: fresh?.folder,
    environment: fresh?.environment ?? {},
    /** What commands left that a check may use, and no rule covered. */
    leftovers: (): readonly CheckLeftover[] => [
      ...byFolder(folder, files()),
      ...commands.listBackground().map((command) => ({ what: backgroundWords(command), by: [command.id] })),
      // The account knows this run alone.
      ...(resumed === undefined
        ? []
        : [{ what: 'ignored files (unseen, from before --resume)', by: [`run ${resumed.event.from.run}`] }]),
      ...(unseen.size === 0
        ? []
        : [{ what: 'ignored files (unseen, as the checkout is only watched)', by: [...unseen] }]),
    ],
    /** Removes the ignored files that commands changed, so that they can be made anew. */
    async clear() {
      const changed = files().map(({ path }) => path)
      if (changed.length === 0) return
      const done = await commands.run({
        file: 'xargs',
        args: ['-0', 'rm', '-f', '--'],
        cwd: folder,
        input: changed.map((path) => `${path}\0`).join(''),
        effects: { access: 'scratch', mayChangeGit: false, by: 'checks.prepare' },
        timeoutMs: CLEAR_TIMEOUT_MS,
        signal,
      })
      const isKept = done.exitCode !== 0 || done.effects?.undone.length !== 0 || done.effects.unknown !== undefined
      if (!isKept) account.forget(changed)
    },
    close: async () => fresh?.remove(),
  }
}

const CLEAR_TIMEOUT_MS = 60_000

type Background = ReturnType<Session['children']['commands']['listBackground']>[number]

/** It works on the checkout itself, where nobody sees what it does to ignored files. */
function backgroundWords({ command, status }: Background): string {
  return `${status().state === 'running' ? 'what still runs' : 'what ran'} in the background: ${command}`
}

function byFolder(
  root: string,
  files: ReturnType<Session['transactions']['account']['ignoredFiles']>,
): CheckLeftover[] {
  const folders = new Map<string, { count: number; readonly by: Set<string> }>()
  for (const { path, by } of files) {
    const [top = ''] = relative(root, path).split('/')
    const folder = folders.get(top) ?? { count: 0, by: new Set() }
    folder.count++
    for (const id of by) folder.by.add(id)
    folders.set(top, folder)
  }
  return [...folders].map(([top, { count, by }]) => ({
    ...{ what: `${top} (${counted(count, 'file')})`, path: top, by: [...by] },
  }))
}
