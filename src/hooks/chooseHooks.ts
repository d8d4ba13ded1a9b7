import type { HookGroup, HookSettings } from '../contracts/settings.ts'
import type { Call } from '../contracts/subject.ts'

/** What an event offers to matchers; `values` is empty for events that have nothing to match on. */
export type HookTarget = { readonly values: readonly string[]; readonly call?: Call }

/**
 * The hooks of an event that apply, in the order of the configuration, equal ones once. A rule in `if` that cannot be
 * judged lets its hook run.
 */
export function chooseHooks(
  groups: readonly HookGroup[],
  target: HookTarget,
  matchesRule: (rule: string, call: Call) => boolean,
): readonly HookSettings[] {
  const chosen = new Map<string, HookSettings>()
  for (const group of groups) {
    if (target.values.length > 0 && !matches(group.matcher, target.values)) continue
    for (const hook of group.hooks) {
      const key = JSON.stringify(hook)
      if (!chosen.has(key) && isMeant(hook, target.call, matchesRule)) chosen.set(key, hook)
    }
  }
  return [...chosen.values()]
}

/**
 * A matcher as a test on one name, by the rule of Claude Code's hooks reference: empty and `*` match all; letters,
 * digits, `_`, `-`, blanks, `,` and `|` alone are one whole name or a list of them; anything else is a regular
 * expression that may match anywhere in the name. Throws a `SyntaxError` for a broken expression.
 */
export function compileMatcher(matcher: string | undefined): (name: string) => boolean {
  const text = matcher?.trim() ?? ''
  if (text === '' || text === '*') return () => true
  if (/^[\w\-, |]+$/.test(text)) {
    const names = text.split(/[|,]/).map((name) => name.trim())
    return (name) => names.includes(name)
  }
  const expression = new RegExp(text)
  return (name) => expression.test(name)
}

function matches(matcher: string | undefined, values: readonly string[]): boolean {
  return values.some(compileMatcher(matcher))
}

function isMeant(
  hook: HookSettings,
  call: Call | undefined,
  matchesRule: (rule: string, call: Call) => boolean,
): boolean {
  if (hook.if === undefined || call === undefined) return true
  try {
    return matchesRule(hook.if, call)
  } catch {
    return true
  }
}
