import * as z from 'zod'
import type { Decision, PermissionMode } from '../../../src/contracts/decision.ts'
import { resolvePath } from '../../../src/files/resolvePath.ts'
import type { Hooks, HookVerdict } from '../../../src/hooks/Hooks.ts'
import { hasPermissionsToUseTool, type Permission, toCall } from '../../../src/permissions.ts'
import { loadPolicy } from '../../../src/policy/load/loadPolicy.ts'
import { isInsideWorkingDirectories } from '../../../src/policy/paths/judgeProtection.ts'
import { buildTool, findTool, type Tool } from '../../../src/Tool.ts'
import { getAllBaseTools } from '../../../src/tools.ts'

export const NONE: HookVerdict = { decision: 'none', reason: '', hook: '', isFailure: false, additionalContext: [] }
const signal = new AbortController().signal

export type Case = {
  readonly allow?: readonly string[]
  readonly deny?: readonly string[]
  readonly mode?: PermissionMode
  /** What PreToolUse hooks say. */
  readonly before?: Partial<HookVerdict>
  /** What PermissionRequest hooks say. */
  readonly request?: Partial<HookVerdict>
  /** `none`: there is no judge. */
  readonly judge?: Decision['behavior'] | 'none'
  readonly isAudit?: boolean
  /** The project root; by default everything is the project. */
  readonly root?: string
  /** What PermissionRequest hooks said of the input that they replaced. */
  readonly answered?: Partial<HookVerdict>
  /** The events that hooks were asked for. */
  readonly heard?: string[]
}

export async function decide(
  name: string | Tool,
  input: Record<string, unknown>,
  options: Case = {},
): Promise<Permission> {
  const { judge = 'deny' } = options
  const tool: Tool = typeof name === 'string' ? (findTool(getAllBaseTools(), name) ?? fail(name)) : name
  const root = options.root ?? '/'
  const policy = await loadPolicy({
    cwd: root,
    home: '/root',
    flags: { allow: options.allow ?? [], deny: options.deny ?? [] },
  })
  const subjects = {
    cwd: root,
    home: '/root',
    resolvePath: (path: string, cwd = root) => resolvePath(path, cwd, '/root'),
  }
  const call = toCall(tool, input, subjects)
  const hooks = {
    has: (event: string) => event === 'PermissionRequest' && options.request !== undefined,
    permissionRequest: async () => {
      options.heard?.push('PermissionRequest')
      return { ...NONE, hook: 'ask.sh', ...options.request }
    },
  }
  return hasPermissionsToUseTool(
    {
      tool,
      input,
      hooked: { call, toolUseId: 't', parentToolUseId: null },
      before: options.before && { ...NONE, hook: 'pre.sh', ...options.before },
      ...(options.answered && { answered: { ...NONE, hook: 'ask.sh', ...options.answered } }),
    },
    {
      policy,
      mode: options.mode ?? 'default',
      subjects,
      signal,
      isAudit: options.isAudit ?? false,
      isPlainEdit: (subject) => subject.kind === 'path' && isInsideWorkingDirectories(policy, subject),
      // Without hooks and without a judge is how `policy explain` asks.
      ...(options.request === undefined ? {} : { hooks: hooks as unknown as Hooks }),
      ...(judge === 'none' ? {} : { judge: async () => judgement(judge) }),
    },
  )
}

function judgement(behavior: Decision['behavior']): Decision {
  return { behavior, reason: { type: 'classifier', model: 'm', detail: 'judged' }, message: 'judged', parts: [] }
}

function fail(name: string): never {
  throw new Error(`no tool ${name}`)
}

/** A tool that writes a file, and says what is given here besides. */
export function toolWith(given: Partial<Tool> = {}): Tool {
  return buildTool({
    name: 'Own',
    inputSchema: () => z.strictObject({}),
    description: () => '',
    subjects: (_, { resolvePath }) => [
      { kind: 'path', access: 'write', path: resolvePath('/srv/a.ts'), source: 'tool' },
    ],
    async *call() {
      yield { type: 'result', data: '' }
    },
    mapResult: () => ({ content: '' }),
    ...given,
  })
}

/** A call in a cell: `$ make`, `Write /a`. */
export function callOf(cell: string): readonly [tool: string, input: Record<string, unknown>] {
  const [, tool = '', rest = ''] = /^(\S+) (.*)$/.exec(cell) ?? []
  if (tool === '$') return bash(rest)
  return tool === 'Write' ? write(rest) : [tool, { file_path: rest, url: rest, thought: rest, prompt: 'x' }]
}

/** What is said of a call in a cell: `allow: Bash(make); before: deny`. */
export function caseOf(cell: string): Case {
  const pairs = cell.split('; ').flatMap((text) => [...text.matchAll(/^(\w+): (.*)$/g)])
  return Object.fromEntries(
    pairs.map(([, key = '', value = '']) => {
      if (/^(?:before|request)$/.test(key)) return [key, { decision: value }]
      return [key, /^(?:allow|deny)$/.test(key) ? [value] : value]
    }),
  )
}

export const bash = (command: string) => ['Bash', { command }] as const
export const write = (file_path: string) => ['Write', { file_path, content: 'x' }] as const
