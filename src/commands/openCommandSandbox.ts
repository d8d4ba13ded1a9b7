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

/** The sandbox of a run under this policy, or of another `mode`. Commands can read `readOnly`, and not change it. */
export function openCommandSandbox(
  io: ProcessIo,
  policy: Policy,
  { mode, readOnly = [] }: { mode?: SandboxSettings['mode']; readOnly?: readonly string[] } = {},
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
