import { RunError } from '../contracts/errors.ts'
import type { Thinking } from '../contracts/model.ts'
import { WORKTREE_NAME } from './Flag.ts'
import type { RunFlagName } from './flags.ts'
import type { FlagValue } from './parseArguments.ts'

/** The value of a flag, or of what stands for it in the environment or the policy. */
export type FlagReader = <T extends FlagValue>(name: RunFlagName) => T | undefined

const usage = (message: string) => new RunError('usage', message)

export function resumeOf(value: FlagReader, resume: string | undefined) {
  for (const name of ['apply-patch', 'repair', 'accept-policy-change', 'fork-session'] as const) {
    if (value<boolean>(name) === true && resume === undefined) throw usage(`--${name} needs --resume.`)
  }
  return {
    resume,
    applyPatch: value<boolean>('apply-patch') ?? false,
    repair: value<boolean>('repair') ?? false,
    /** True: a resumed run gets a session id of its own. */
    forkSession: value<boolean>('fork-session') ?? false,
    acceptPolicyChange: value<boolean>('accept-policy-change') ?? false,
  }
}

export function lockOf(name: string | undefined, staleMs: number | undefined) {
  if (name === undefined) {
    if (staleMs !== undefined) throw usage('--lock-stale needs --lock.')
    return undefined
  }
  if (!/^[A-Za-z0-9][\w.-]{0,99}$/.test(name))
    throw usage(`--lock: ${JSON.stringify(name)} is not a name: letters, digits, "_", "-" and "." only.`)
  return { name, staleMs }
}

/** A budget of 0 turns thinking off, as in Claude Code. A model that takes a budget gets it beside `enabled`. */
export function thinkingOf(value: FlagReader): Thinking | undefined {
  const [mode, budget] = [value<string>('thinking'), value<number>('max-thinking-tokens')]
  if (mode !== undefined && (mode === 'disabled') !== (budget === 0) && budget !== undefined)
    throw usage(`--thinking ${mode} and --max-thinking-tokens ${budget} cannot be combined.`)
  if (budget === undefined) return mode === undefined ? undefined : mode === 'disabled' ? 'off' : 'adaptive'
  if (budget === 0) return 'off'
  if (budget >= 1024) return budget
  throw usage(`--max-thinking-tokens: ${budget} is below the minimum of 1024 tokens.`)
}

export function agentOf(value: FlagReader) {
  const name = value<string>('agent')
  return name === undefined ? undefined : { name, hasModel: value<string>('model') !== undefined }
}

export function worktreeOf(value: FlagReader): string | undefined {
  const name = value<string>('worktree')
  if (name === undefined) return undefined
  if (!WORKTREE_NAME.test(name))
    throw usage(`--worktree: ${JSON.stringify(name)} is no name for a folder: letters, digits, ".", "_", "-".`)
  if (value<boolean>('apply-patch') === true)
    throw usage('--worktree and --apply-patch cannot be combined: a worktree starts at the last commit.')
  return name
}

/** How the task comes, and who may be asked. */
export function inputOf(value: FlagReader, output: string | undefined) {
  const inputFormat = value<'text' | 'stream-json'>('input-format') ?? 'text'
  const tool = value<string>('permission-prompt-tool')
  if (inputFormat === 'stream-json' && output !== 'stream-json')
    throw usage('--input-format stream-json needs --output-format stream-json.')
  if (tool !== undefined && (tool !== 'stdio' || inputFormat !== 'stream-json')) {
    const advice = 'only stdio works, with --input-format stream-json. Elsewhere use a PermissionRequest hook.'
    throw usage(`--permission-prompt-tool ${tool}: ${advice}`)
  }
  /** `stdio`: the caller is asked about calls that no rule decides. */
  const permissionPromptTool = tool === undefined ? undefined : ('stdio' as const)
  return { inputFormat, permissionPromptTool }
}

/** A UUID as `--session-id` takes it. */
export function sessionIdOf(id: string | undefined): string | undefined {
  if (id === undefined || /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) return id
  throw usage(`--session-id: ${JSON.stringify(id.slice(0, 60))} is not a UUID in lower case.`)
}
