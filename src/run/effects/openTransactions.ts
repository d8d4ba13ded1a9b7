import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isAbsence } from '../../contracts/decision.ts'
import { openRefLog } from '../../effects/git/openRefLog.ts'
import { createJudge } from '../../effects/judge/createJudge.ts'
import type { Ruling } from '../../effects/judge/JudgeChanges.ts'
import { openAccount } from '../../effects/openAccount.ts'
import { openCheckout } from '../../effects/openCheckout.ts'
import { type Effects, openEffects } from '../../effects/openEffects.ts'
import { type RecoveredTakeOver, recoverTakeOvers } from '../../effects/view/recoverTakeOvers.ts'
import { openCheckoutWatch } from '../../effects/watch/openCheckoutWatch.ts'
import { resolvePath, unfollowed } from '../../files/resolvePath.ts'
import { worktreePlaces, worktreeRoot } from '../../git/states/gitWorktree.ts'
import { isWithin } from '../../lib/fs/isWithin.ts'
import { ownedFolder } from '../../lib/fs/ownedFolder.ts'
import { someOf } from '../../lib/text/words.ts'
import { decidePath } from '../../policy/paths/judgePath.ts'
import { isInsideWorkingDirectories, protectionsOf } from '../../policy/paths/judgeProtection.ts'
import type { ClosableCommandAccess } from '../../sandbox/createCommandAccess.ts'
import { homeMounts } from '../../sandbox/mounts/homeMounts.ts'
import { DIRECT } from '../../sandbox/views/checkoutMode.ts'
import type { RunRequest } from '../RunRequest.ts'
import type { Place } from '../Session.ts'
import type { Children } from '../start/openChildren.ts'

/** Where a link in an ignored folder may lead: a virtual environment links its interpreter. */
const SYSTEM_FOLDERS = ['/usr', '/bin', '/sbin', '/lib', '/lib64', '/opt', '/nix']

export type TransactionOptions = {
  readonly request: RunRequest
  readonly children: Children
  /** Absolute paths that no command may ever change, in addition to the policy. */
  readonly records: readonly string[]
  readonly top: string
  /** The policy, mode and project root that apply to a path now. */
  placeOf(path: string): Place
}

export type Transactions = Readonly<Awaited<ReturnType<typeof openTransactions>>>

/** Connects views, judge and account to the run's commands, and completes unfinished take-overs of killed runs. */
export async function openTransactions(options: TransactionOptions) {
  const { request, children, top } = options
  const { sandbox } = children
  const { folder: viewFolder, tar } = sandbox.views
  const state = join(request.stateFolder, 'take-overs')
  // Before the account reads the checkout: what is completed now belongs to the killed run.
  const recovered = await recoverTakeOvers(state, viewFolder)
  const folder = ownedFolder(tmpdir(), 'kode-run-account-')
  const own = options.records.map((path) => resolvePath(path, request.config.cwd, request.home).resolved)
  const unjudged = [...own, ...directFolders(options)]
  const checkout = openCheckout(sandbox.roots)
  const account = openAccount({
    checkout,
    top,
    own: unjudged,
    folder: join(folder, 'images'),
    runGit: children.git,
  })
  const judging = judgeOptions({ ...options, records: own })
  const judge = createJudge({
    ...judging,
    checkout,
    git: { runGit: children.git, folder: join(folder, 'git') },
  })
  const watch = openCheckoutWatch({
    ...{ checkout, own: unjudged, judge, account, folder: join(folder, 'watched'), runGit: children.git },
    ...{ isProtected: judging.isProtected, isForbidden: forbids(options, judging.ruled) },
  })
  // Beside the model's first answer: the first command would have to wait for it.
  if (sandbox.state !== 'enforced') watch.prepare()
  const unseen = new Set<string>()
  const refs = openRefLog(checkout, join(folder, 'refs'), children.git)
  const effects = openEffects({
    roots: sandbox.roots,
    views: viewFolder === undefined || tar === undefined ? undefined : { folder: viewFolder, tar },
    isReadOnlyEnforced: isReadOnlyEnforced(sandbox),
    state,
    start: children.commands.runOn,
    confirmView: children.confirmView,
    // Elsewhere each command works on the checkout itself, and nothing can be prepared for it.
    ...(sandbox.state === 'enforced' && { prepare: children.commands.prepare }),
    ...{ judge, account, watched: watch },
    watch(effects) {
      if (effects.access === 'write') unseen.add(effects.by)
      return watch.watch(effects)
    },
    directFolders: () => directFolders(options),
  })
  return {
    warnings: recovered.map(describeRecovered),
    commands: transactedCommands(children, effects),
    account: {
      ...account,
      change: watch.change,
      changeWorktree: <T>(worktree: string, work: () => Promise<T>) =>
        watch.changeWorktree(() => worktreePlaces(worktree), work),
    },
    ...{ effects, refs },
    /** The calls whose changes of ignored files nobody saw, because there is no view. */
    unseen: unseen as ReadonlySet<string>,
    async close() {
      await Promise.allSettled([account.close(), watch.close()])
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Whether a command that only reads can change nothing: then nothing is compared for it. */
function isReadOnlyEnforced({ state, landlock }: Children['sandbox']): boolean {
  return state === 'enforced' || landlock?.holdsReadOnly === true
}

/** Returns whether a deny or ask rule matches a path. Without such rules, no path is checked. */
function forbids({ request }: TransactionOptions, ruled: (path: string) => Ruling) {
  const { rules } = request.policy
  if (!rules.some(({ tool, list }) => tool === 'Edit' && list !== 'allow')) return () => false
  return (path: string) => (ruled(path).rule?.list ?? 'allow') !== 'allow'
}

function judgeOptions({ request, children, records, placeOf }: TransactionOptions) {
  const { home } = request
  const roots = children.sandbox.roots
  const { writable } = request.policy.settings.sandbox
  const never = [...request.policy.files, ...request.policy.untouchable, ...records]
  return {
    writable,
    ruled: (path: string) => rulingOf({ ...placeOf(path), isAudit: request.config.audit }, path),
    topOf(top: string) {
      const { cwd } = placeOf(top)
      return worktreeRoot(cwd) === top ? cwd : top
    },
    isSeen: (path: string) =>
      children.sandbox.state !== 'enforced' || [...roots, ...writable].some((folder) => isWithin(path, folder)),
    isProtected: (path: string) =>
      protectionsOf(path, 'write', home).length > 0 || protectionsOf(path, 'read', home).length > 0,
    never: (path: string) =>
      never.some((own) => isWithin(path, own)) ? 'it belongs to the run itself and must not change' : undefined,
    linkable: [...SYSTEM_FOLDERS, ...homeMounts(request.home).map(({ target }) => target)],
  }
}

/** Folders in the checkout that the policy makes writable: mounted directly, neither copied nor judged. */
function directFolders({ request, children }: TransactionOptions): readonly string[] {
  const { writable } = request.policy.settings.sandbox
  return writable.filter((path) => children.sandbox.roots.some((root) => path !== root && isWithin(path, root)))
}

const MAX_PATHS = 8

function describeRecovered({ by, changes, conflicts, problem }: RecoveredTakeOver): string {
  const of =
    by === '' ? 'the changes of a run that was killed' : `the changes of ${by}, a call of a run that was killed`
  if (problem !== undefined) return `Some of ${of} may be missing. It is unknown which ones were applied: ${problem}`
  const finished = changes.map(({ path }) => path).filter((path) => !conflicts.includes(path))
  const left =
    conflicts.length === 0 ? '' : `. Left alone, because they have changed since: ${someOf(conflicts, MAX_PATHS)}`
  return `Finished taking over ${of}: ${someOf(finished, MAX_PATHS) || 'nothing'}${left}`
}

type RulingPlace = Pick<Place, 'policy' | 'mode' | 'cwd'> & { readonly isAudit: boolean }

/**
 * The ruling on a path that a command has changed: the same as for an edit by a tool. A mode that allows edits in the
 * project without a rule allows these too, and so does an audit. No link in the path is followed, because the command
 * may have just created it: the place of the change is what counts.
 */
export function rulingOf({ policy, mode, cwd, isAudit }: RulingPlace, path: string): Ruling {
  const forms = unfollowed(path)
  const decision = decidePath({ policy, workingDirectories: [cwd] }, forms, 'write')
  const { behavior, reason } = decision
  if (reason.type === 'rule') return { behavior, rule: reason.rule }
  const isFree = isAudit || mode === 'acceptEdits' || mode === 'auto'
  if (!isFree || !isAbsence(decision)) return { behavior }
  const subject = { kind: 'path', access: 'write', path: forms, source: 'tool' } as const
  return { behavior: isInsideWorkingDirectories(policy, subject) ? 'allow' : behavior }
}

const DIRECT_EFFECTS = { mayChangeGit: false, by: '' } as const

/** The commands of a run, each as a transaction. Background commands work on the checkout itself. */
function transactedCommands({ commands, sandbox }: Children, effects: Effects): ClosableCommandAccess {
  // Without a wall, a comparison of the whole checkout would cost more than what our own program has to read of it.
  const hasDirectReaders = !isReadOnlyEnforced(sandbox)
  return {
    ...commands,
    run: (request) =>
      hasDirectReaders && request.isOwnReader === true ? commands.runOn(request, DIRECT) : effects.run(request),
    start(request) {
      const direct = { ...DIRECT_EFFECTS, ...request.effects, access: 'direct' } as const
      return commands.startWatched(request, (id, launch) => effects.watch(id, direct, launch))
    },
    async closeAll() {
      await commands.closeAll()
      await effects.close()
    },
  }
}
