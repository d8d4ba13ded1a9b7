import type { Behavior, Decision } from '../../contracts/decision.ts'
import type { PathForms } from '../../contracts/subject.ts'
import { resolvePath } from '../../files/resolvePath.ts'
import { evaluate } from '../evaluate.ts'
import type { Policy } from '../Policy.ts'
import { indexRules } from '../rules/indexRules.ts'

export type PathJudge = {
  readonly policy: Policy
  readonly home: string
  /** Project root first. */
  readonly workingDirectories: readonly string[]
}

/** What the rules alone say about reading or writing a path. */
export function judgePath(judge: PathJudge, path: string, access: 'read' | 'write'): Behavior {
  return decidePath(judge, path, access).behavior
}

/** The same, with its reason. */
export function decidePath(
  { policy, home, workingDirectories }: PathJudge,
  path: string | PathForms,
  access: 'read' | 'write',
): Decision {
  const forms = typeof path === 'string' ? resolvePath(path, workingDirectories[0] ?? '/', home) : path
  return evaluate(policy, {
    tool: access === 'read' ? 'Read' : 'Edit',
    aliases: [],
    input: { file_path: forms.given },
    subjects: [{ kind: 'path', access, path: forms, source: 'tool' }],
    isFree: false,
    isReadOnly: access === 'read',
  })
}

/** True if an allow rule without a wildcard covers this file: its author meant exactly this one. */
export function namesFile({ policy, ...place }: PathJudge, path: string): boolean {
  const rules = policy.rules.filter(({ list, text }) => list === 'allow' && /^\w+\([^*?[\]{}]+\)$/.test(text))
  const index = indexRules(rules, { cwd: policy.cwd, home: policy.home, resolve: () => [] })
  return decidePath({ policy: { ...policy, rules, index }, ...place }, path, 'write').behavior === 'allow'
}
