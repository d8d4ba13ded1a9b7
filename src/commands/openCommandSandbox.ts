import type { ProcessIo } from '../contracts/processIo.ts'
import type { SandboxSettings } from '../contracts/settings.ts'
import { isFolder } from '../lib/fs/folders.ts'
import type { Policy } from '../policy/Policy.ts'
import { createHiddenJudge, namedSecrets } from '../policy/paths/hiddenPlaces.ts'
import { type ChildEnvironment, childEnvironment } from '../sandbox/environment/childEnvironment.ts'
import { surveyWorkspaces } from '../sandbox/mounts/surveyWorkspaces.ts'
import { openSandbox, type Sandbox } from '../sandbox/openSandbox.ts'

/** What commands of a run under this policy get of these variables. */
export function commandEnvironment(variables: ProcessIo['environment'], { settings, cwd }: Policy): ChildEnvironment {
  return childEnvironment(variables, { settings: settings.env, workspace: cwd, secrets: [], credentials: [] })
}

type SandboxChoice = {
  /** Instead of the policy's. */
  readonly mode?: SandboxSettings['mode']
  /** What commands can read and not change, besides the policy. */
  readonly readOnly?: readonly string[]
}

/** The sandbox that a run under this policy has, for a sub-command. */
export function openCommandSandbox(
  io: ProcessIo,
  policy: Policy,
  { mode, readOnly = [] }: SandboxChoice = {},
): Promise<Sandbox> {
  const { settings, files, cwd } = policy
  const { environment } = commandEnvironment(io.environment, policy)
  const workspaces = [cwd, ...settings.additionalDirectories.filter(isFolder)]
  return openSandbox({
    settings: mode === undefined ? settings.sandbox : { ...settings.sandbox, mode },
    workspaces,
    survey: surveyWorkspaces(workspaces, createHiddenJudge(policy)),
    denied: namedSecrets(policy),
    environment,
    home: io.home,
    path: environment['PATH'] ?? '',
    readOnly: [...files, ...readOnly],
    hidden: [],
    isOpened: () => false,
    onRefusal: (message) => io.warn(`${message}\n`),
  })
}
