import { join } from 'node:path'
import type { Behavior, Decision, PermissionMode } from '../../contracts/decision.ts'
import type { Call, PathForms } from '../../contracts/subject.ts'
import { resolvePath, unfollowed } from '../../files/resolvePath.ts'
import { isWithin } from '../../lib/fs/isWithin.ts'
import { matchesGlob } from '../../lib/text/matchesGlob.ts'
import { evaluate } from '../evaluate.ts'
import type { Policy } from '../Policy.ts'
import { indexRules } from '../rules/indexRules.ts'

export type PathJudge = {
  readonly policy: Policy
  readonly workingDirectories: readonly string[]
}

/** What the rules alone say about reading or writing a path. */
export function judgePath(judge: PathJudge, path: string, access: 'read' | 'write'): Behavior {
  return decidePath(judge, path, access).behavior
}

export function decidePath(
  { policy, workingDirectories }: PathJudge,
  path: string | PathForms,
  access: 'read' | 'write',
): Decision {
  const forms = typeof path === 'string' ? resolvePath(path, workingDirectories[0] ?? '/', policy.home) : path
  return evaluate(policy, pathCall(forms, access))
}

/** An Edit call for the path itself, without following links: it is used to judge a change that already happened. */
export function writeCall(path: string): Call {
  return pathCall(unfollowed(path), 'write')
}

function pathCall(path: PathForms, access: 'read' | 'write'): Call {
  const subject = { kind: 'path', access, path, source: 'tool' } as const
  const isReadOnly = access === 'read'
  const common = { aliases: [], input: { file_path: path.given }, subjects: [subject], isFree: false }
  return { tool: isReadOnly ? 'Read' : 'Edit', ...common, isReadOnly }
}

/** True if an allow rule without a wildcard covers this file: its author meant exactly this one. */
export function namesFile({ policy, ...place }: PathJudge, path: string): boolean {
  const rules = policy.rules.filter(({ list, text }) => list === 'allow' && /^\w+\([^*?[\]{}]+\)$/.test(text))
  const index = indexRules(rules, { cwd: policy.cwd, home: policy.home, resolve: () => [] })
  return decidePath({ policy: { ...policy, rules, index }, ...place }, path, 'write').behavior === 'allow'
}

/** A file that a patch changes; `mode` is git's, 000000 if it is removed. */
type PatchedFile = { readonly path: string; readonly mode: string }

export type PatchJudge = PathJudge & {
  readonly top: string
  readonly mode: PermissionMode
  /** `outputs.*.allow`: if given, it must cover every path, and it replaces Edit rules. */
  readonly allow?: readonly string[] | undefined
}

/**
 * Why a patch is not allowed, whoever applies it: a link or submodule, a path outside the working directories, a
 * protected place, a rule that denies or asks, a path that nothing covers. Undefined if every change is allowed.
 */
export function judgePatch(files: readonly PatchedFile[], judge: PatchJudge): string | undefined {
  if (files.length === 0) return 'it changes nothing'
  for (const file of files) {
    const problem = judgeFile(file, judge)
    if (problem !== undefined) return `${JSON.stringify(file.path)} ${problem}`
  }
  return undefined
}

function judgeFile({ path, mode }: PatchedFile, judge: PatchJudge): string | undefined {
  if (!['000000', '100644', '100755'].includes(mode)) return `is a link or a submodule (mode ${mode})`
  const place = join(judge.top, path)
  const isInside = judge.workingDirectories.some((folder) => isWithin(place, folder))
  const { behavior, reason } = decidePath(judge, place, 'write')
  if (reason.type === 'protected') return `may not be changed: ${reason.detail}`
  if (behavior !== 'allow' && reason.type === 'rule') {
    const { text, list, file, line } = reason.rule
    return `may not be changed: ${list} ${text}${line > 0 ? ` (${file}:${line})` : ''}`
  }
  if (judge.allow !== undefined) {
    return judge.allow.some((glob) => matchesGlob(glob, path))
      ? undefined
      : 'is not covered by an `allow` of the policy'
  }
  if (behavior === 'allow' || (judge.mode === 'acceptEdits' && isInside)) return undefined
  return 'is not covered by an Edit rule'
}
