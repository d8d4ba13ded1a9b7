import { rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { RunError } from '../../contracts/errors.ts'
import type { SandboxSettings } from '../../contracts/settings.ts'
import { findRepository, gitBy } from '../../git/own/ownGit.ts'
import { ownedFolder } from '../../lib/fs/ownedFolder.ts'
import { memoize } from '../../lib/memoize.ts'
import { createHiddenJudge, namedSecrets } from '../../policy/paths/hiddenPlaces.ts'
import { judgePath } from '../../policy/paths/judgePath.ts'
import { opensProtected } from '../../policy/paths/judgeProtection.ts'
import { type BoxedInvocation, createCommandAccess, type Invocation } from '../../sandbox/createCommandAccess.ts'
import { childEnvironment } from '../../sandbox/environment/childEnvironment.ts'
import { findProgram } from '../../sandbox/environment/childPath.ts'
import { commitIdentity } from '../../sandbox/environment/commitIdentity.ts'
import { jailGit } from '../../sandbox/jailGit.ts'
import { surveyWorkspaces } from '../../sandbox/mounts/surveyWorkspaces.ts'
import { openSandbox, type Sandbox } from '../../sandbox/openSandbox.ts'
import { removeTree } from '../../sandbox/views/removeTree.ts'
import { findRipgrep } from '../../tools/GrepTool/findRipgrep.ts'
import { openIntegrity } from '../effects/openIntegrity.ts'
import { credentialsOf, type RunRequest, workspacesOf } from '../RunRequest.ts'
import { type Records, reportsOf } from '../record/openRecords.ts'

/** The run's child processes: their environment, their sandbox, and how to start them. */
export type Children = Awaited<ReturnType<typeof openChildren>>

export type ChildrenOptions = {
  readonly request: RunRequest
  readonly records: Records
  readonly plugins: string | undefined
  readonly secrets: readonly string[]
  readonly deadline: number
  readonly onRefusal: (message: string) => void
  /** Called with the reason if the sandbox starts nothing any more. */
  readonly onSandboxLost: (why: string) => void
}

/** The time that a run keeps for its records and its own commands: three seconds, or a quarter of a shorter limit. */
export function recordsMs(timeoutMs: number): number {
  return Math.min(3_000, timeoutMs / 4)
}

export async function openChildren(options: ChildrenOptions) {
  const { request, records } = options
  const { runId, transcript, artifacts, blobFolder } = records
  const { policy, config, environment, home } = request
  const workspaces = workspacesOf(request)
  const { settings } = policy
  const ripgrep = findRipgrep(workspaces)
  const kept = childEnvironment(environment, {
    settings: settings.env,
    workspace: config.cwd,
    secrets: options.secrets,
    credentials: credentialsOf(request),
    identity: commitIdentity({ environment, workspaces, home }),
  })
  const surveyAgain = () => surveyWorkspaces(workspaces, createHiddenJudge(policy))
  const survey = surveyAgain()
  removeLeftovers(survey.leftovers)
  const places = {
    workspaces,
    survey,
    home,
    path: kept.environment['PATH'] ?? '',
    readOnly: policy.files,
    isOpened: createOpener(request),
  }
  // Copies of plugins, and the files of another commit that steer the run.
  const ownFolders = [options.plugins, request.configRoot].filter((path) => path !== undefined)
  const hookFolder = ownedFolder(tmpdir(), 'kode-run-hooks-')
  const sandbox = await openSandbox({
    ...places,
    surveyAgain,
    readOnly: [...policy.files, ...reportsOf(request), ...ownFolders, hookFolder],
    settings: sandboxSettings(request),
    unboxedNetwork: request.trust === 'untrusted' ? 'none' : 'open',
    hidden: [...records.records, `${artifacts}/`, `${blobFolder}/`],
    denied: namedSecrets(policy),
    views: [environment['RUNNER_TEMP'] ?? '', request.stateFolder].filter((path) => isAbsolute(path)),
    stateFolder: request.stateFolder,
    environment: kept.environment,
    programs: [await ripgrep].filter((path) => path !== undefined),
    onRefusal: options.onRefusal,
  }).catch(async (error: unknown) => {
    await removeTree(hookFolder)
    throw error
  })
  const loseSandbox = (why: string) => {
    sandbox.views.confirm?.(why)
    options.onSandboxLost(why)
  }
  const drop = request.dropsPrivileges === true ? dropPrivileges(places.path) : undefined
  const outside = sandbox.landlock?.wrap ?? drop
  const canUseSudo = request.dropsPrivileges === true && (sandbox.wrap ?? outside) === undefined
  const access = {
    environment: { ...kept.environment, ...sandbox.environment },
    runId,
    putBlob: (content: Uint8Array) => transcript.blobs.put(content),
    defaultTimeoutMs: config.bashTimeoutMs,
    maxOutputCharacters: config.maxResultCharacters,
    maxTimeoutMs: config.bashMaxTimeoutMs,
    deadline: options.deadline,
  }
  const own = {
    ...access,
    environment: kept.environment,
    maxTimeoutMs: Number.POSITIVE_INFINITY,
    deadline: options.deadline + recordsMs(config.limits.timeoutMs),
  }
  const gitCommands = createCommandAccess({
    ...own,
    environment: { PATH: places.path },
    wrap: jailGit(sandbox, places.path),
  })
  return {
    environment: access.environment,
    sandbox: { ...sandbox, close: async () => void (await Promise.all([sandbox.close(), removeTree(hookFolder)])) },
    /** A folder of this run that children can only read: copies of hooks from the start. */
    hookFolder,
    confirmView: createConfirm(sandbox.views, options.onSandboxLost),
    commands: createCommandAccess({
      ...access,
      environment: { ...access.environment, ...sandbox.landlock?.environment },
      wrap: sandbox.wrap ?? outside,
      isPlain: true,
      endsLeftovers: sandbox.wrap === undefined,
      network: sandbox.network.state === 'off' ? undefined : sandbox.network.mode,
      ...(sandbox.wrap !== undefined && { onSandboxLost: loseSandbox }),
    }),
    /** Runs hooks that contain nothing from the checkout outside the sandbox, each with its own time limit. */
    hookCommands: createCommandAccess({ ...own, environment: elsewhere(kept.environment, workspaces) }),
    /** kode-run's own git: never in the checkout, with no environment but PATH. */
    git: gitBy(gitCommands.run),
    /** Runs `git`; still works after the time limit of other commands. */
    gitCommands,
    integrity: openIntegrity({
      ...places,
      sandbox,
      top: findRepository(config.cwd)?.top ?? config.cwd,
      commandFiles: request.commandFiles,
    }),
    dropped: kept.dropped,
    /** Files and folders of the checkout with secrets that no sandbox hides from commands. Absolute. */
    readableSecrets: sandbox.state === 'enforced' ? [] : survey.secrets,
    warnings: canUseSudo ? [...kept.warnings, SUDO_WARNING] : kept.warnings,
  }
}

/** Call it after a command in a view, with what went wrong before the view stood: an untested sandbox may end the run. */
export function createConfirm({ confirm }: Pick<Sandbox['views'], 'confirm'>, onSandboxLost: (why: string) => void) {
  return (problem?: string) => {
    const lost = confirm?.(problem)
    if (lost !== undefined) onSandboxLost(lost)
  }
}

/** The environment without variables that lead programs to code in the checkout: `PYTHONPATH`, `VIRTUAL_ENV`. */
function elsewhere(environment: Readonly<Record<string, string>>, workspaces: readonly string[]) {
  const isElsewhere = ([, value]: readonly [string, string]) => !workspaces.some((folder) => value.includes(folder))
  return Object.fromEntries(Object.entries(environment).filter(isElsewhere))
}

const SUDO_WARNING = 'setpriv is missing and there is no sandbox: commands can use sudo if it needs no password'

/**
 * Starts a command so that `sudo` and other set-user-id programs gain nothing, for it and all its children
 * (PR_SET_NO_NEW_PRIVS, through util-linux' `setpriv`). The sandbox does this by itself. Undefined if `path` has no
 * `setpriv`.
 */
export function dropPrivileges(path: string): ((command: Invocation) => BoxedInvocation) | undefined {
  const setpriv = findProgram('setpriv', path)
  if (setpriv === undefined) return undefined
  const ended = () => Promise.resolve()
  return ({ file, args }) => ({ file: setpriv, args: ['--no-new-privs', '--', file, ...args], ended })
}

/** Removes what killed runs left, but nothing that another run may be writing. */
export function removeLeftovers(paths: readonly string[]): void {
  for (const path of paths) {
    const { mtimeMs = Number.POSITIVE_INFINITY } = statSync(path, { throwIfNoEntry: false }) ?? {}
    if (Date.now() - mtimeMs > LEFT_AFTER_MS) rmSync(path, { force: true })
  }
}

const LEFT_AFTER_MS = 60_000

/** Whether the policy opens a protected place for writing. Few policies open one, and a hundred places are asked about. */
export function createOpener({ policy, config }: Pick<RunRequest, 'policy' | 'config'>) {
  if (!opensProtected(policy)) return () => false
  const reading = { policy, workingDirectories: [config.cwd] }
  return memoize(
    (place: string) => judgePath(reading, place.endsWith('/') ? join(place, 'any') : place, 'write') === 'allow',
  )
}

/** An audit runs what no rule allows, so it needs the sandbox, with bubblewrap, and a trusted event. */
function sandboxSettings({ policy, config, trust }: RunRequest): SandboxSettings {
  const settings = policy.settings.sandbox
  if (!config.audit) return settings
  const what = '--audit runs what no rule allows, so it'
  if (trust === 'untrusted')
    throw new RunError('untrusted_event', `${what} cannot be used for an event that anyone can cause.`)
  if (settings.mode === 'off') throw new RunError('sandbox_unavailable', `${what} needs the sandbox, which is off.`)
  return { ...settings, mode: 'required', wall: 'bubblewrap' }
}
