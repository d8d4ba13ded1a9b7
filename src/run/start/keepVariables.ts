import { realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, isAbsolute } from 'node:path'
import type { HookFile } from '../../hooks/Hooks.ts'
import { isWithin } from '../../lib/fs/isWithin.ts'
import { orElse } from '../../lib/orElse.ts'
import { secretsFromEnvironment } from '../../lib/secrets/secretsFromEnvironment.ts'
import { objectionTo } from '../../sandbox/environment/childEnvironment.ts'
import { homeMounts } from '../../sandbox/mounts/homeMounts.ts'
import { isSystem } from '../../sandbox/mounts/systemMounts.ts'
import { toolFolders } from '../../sandbox/mounts/toolFolders.ts'
import { assignmentProblem } from '../../shell/walk/assignmentProblem.ts'
import { workspacesOf } from '../RunRequest.ts'
import type { Session } from '../Session.ts'

type Keeper = Pick<Session, 'children' | 'policy' | 'home' | 'config' | 'redactor' | 'variables'> & {
  readonly secrets: readonly string[]
  readonly credentials: readonly string[]
}

/** Set at the end of the file. */
const END = 'CLAUDE_ENV_FILE'

/** Every shell sets these, and hooks get those of Claude Code. */
const OF_THE_HOOK = /^(?:_|PWD|OLDPWD|SHLVL|CLAUDE_(?:ENV_FILE|PROJECT_DIR))$/

/** Variables that may name other folders of programs. */
const FOLDERS = /^(?:PATH|JAVA_HOME|GOROOT)$/

/**
 * Adds to the variables of commands what SessionStart hooks have set, as far as an assignment before a command could be
 * allowed, and as far as children may have the value. Returns what was refused, a sentence for each hook. Values that
 * look secret are redacted from now on. A hook can print what it likes, so only `after` is believed, and only as a wish.
 */
export function keepVariables(files: readonly HookFile[], keeper: Keeper): string[] {
  const { policy, redactor, variables, children } = keeper
  const { env, redact } = policy.settings
  return files.flatMap(({ hook, before, after }) => {
    redactor.learn(secretsFromEnvironment(after, [...redact.env, ...env.secrets]))
    const refused: string[] = []
    for (const [name, value] of Object.entries(after)) {
      if (before[name] === value || OF_THE_HOOK.test(name)) continue
      // Each hook adds to the path of the start: what others have added stays.
      const [own, now] = [before[name] ?? '', variables[name] ?? children.environment[name] ?? '']
      const wanted = name === 'PATH' && own !== '' ? value.replace(own, () => now) : value
      const problem = problemOf(name, wanted, keeper)
      if (problem === undefined)
        variables[name] = name === 'PATH' ? [...new Set(wanted.split(delimiter))].join(delimiter) : wanted
      else refused.push(`${name} (${problem})`)
    }
    const said = [
      ...(END in after ? [] : ['bash could not read it to its end']),
      ...(refused.length === 0 ? [] : [`not set: ${refused.join(', ')}; env.set of the policy can set more`]),
    ]
    return said.map((text) => redactor.forModel(`CLAUDE_ENV_FILE of the hook ${hook}: ${text}`))
  })
}

function problemOf(name: string, value: string, keeper: Keeper): string | undefined {
  const { children, policy } = keeper
  const { env } = policy.settings
  if (!/^[A-Za-z_]\w*$/.test(name)) return 'it is no variable'
  if (name in env.set) return 'the policy sets it'
  if (name in { ...children.sandbox.environment, ...children.sandbox.landlock?.environment })
    return 'it belongs to the sandbox'
  if (FOLDERS.test(name)) return folderProblem(name, value, keeper)
  if (assignmentProblem(name, false) !== undefined) return 'it steers the shell, or which code runs'
  if (/`|\$[({]/.test(value)) return 'its value holds a substitution, which arithmetic would run'
  return objectionTo(name, value, { settings: env, ...keeper })
}

/** Any folder may be there that commands see and cannot change. */
function folderProblem(name: string, value: string, keeper: Keeper) {
  const { children, policy, home, variables } = keeper
  const { environment } = children
  const checkout = workspacesOf(keeper)
  const { writable, readable } = policy.settings.sandbox
  const known = [environment, variables].flatMap((all) => all[name]?.split(delimiter) ?? [])
  const closed = [...checkout, ...writable, tmpdir(), '/tmp', '/var/tmp']
  const tools = toolFolders({ environment, around: [home, ...checkout] })
  const open = [...homeMounts(home).map(({ target }) => target), ...tools, ...readable]
  const isFixed = (path: string) =>
    (isSystem(path) || open.some((folder) => isWithin(path, folder))) &&
    !closed.some((folder) => isWithin(path, folder))
  const bad = value.split(delimiter).find((path) => !known.includes(path) && !formsOf(path).every(isFixed))
  return bad === undefined ? undefined : `commands may change ${bad || 'an empty entry'}, or it is missing`
}

/** A path and where it leads; one that is never allowed for what is missing or relative. */
function formsOf(path: string): string[] {
  return orElse(['.'], () => (isAbsolute(path) ? [path, realpathSync(path)] : ['.']))
}
