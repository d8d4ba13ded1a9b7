import type { HookGroup, HookSettings } from '../contracts/settings.ts'
import type { Call } from '../contracts/subject.ts'
import { orElse } from '../lib/orElse.ts'

/** What an event offers to matchers; `values` is empty for events without matchers. */
export type HookTarget = { readonly values: readonly string[]; readonly call?: Call }

/** The matching hooks of an event, without duplicates. If a rule in `if` cannot be judged, its hook runs. */
export function chooseHooks(
  groups: readonly HookGroup[],
  target: HookTarget,
  matchesRule: (rule: string, call: Call) => boolean,
): readonly HookSettings[] {
  const chosen = new Map<unknown, HookSettings>()
  for (const group of groups) {
    if (target.values.length > 0 && !fits(group.matcher, target.values)) continue
    for (const hook of group.hooks) {
      const key = hook.type === 'function' ? hook.call : JSON.stringify(hook)
      if (!chosen.has(key) && appliesTo(hook, target.call, matchesRule)) chosen.set(key, hook)
    }
  }
  return [...chosen.values()]
}

/**
 * A matcher as a test on one name, by Claude Code's hooks reference. Empty and `*` match all. Letters, digits, `_`,
 * `-`, spaces, `,` and `|` alone are a whole name or a list of names. Anything else is a regular expression that may
 * match anywhere in the name. Throws a `SyntaxError` for an invalid expression.
 */
export function compileMatcher(matcher: string | undefined): (name: string) => boolean {
  const text = matcher?.trim() ?? ''
  if (isForAll(text)) return () => true
  if (/^[\w\-, |]+$/.test(text)) {
    const names = text.split(/[|,]/).map((name) => name.trim())
    return (name) => names.includes(name)
  }
  const expression = new RegExp(text)
  return (name) => expression.test(name)
}

const isForAll = (matcher = '') => /^\s*\*?\s*$/.test(matcher)

/** A matcher for all leaves out Finish, which hooks of Claude Code do not know: they would keep the run from its end. */
function fits(matcher: string | undefined, values: readonly string[]): boolean {
  return isForAll(matcher) ? values[0] !== 'Finish' : values.some(compileMatcher(matcher))
}

function appliesTo(
  hook: HookSettings,
  call: Call | undefined,
  matchesRule: (rule: string, call: Call) => boolean,
): boolean {
  const { if: rule } = hook
  return rule === undefined || call === undefined || orElse(true, () => matchesRule(rule, call))
}
