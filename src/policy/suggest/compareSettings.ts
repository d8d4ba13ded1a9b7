import type { PolicySettings } from '../../contracts/settings.ts'
import { shortDuration } from '../../lib/text/duration.ts'
import { DURATIONS } from '../load/mergeRun.ts'

/** A setting that differs. `isWider`: the new one permits more. */
export type SettingChange = {
  readonly key: string
  readonly was: string
  readonly is: string
  readonly isWider: boolean
}

/** Durations, by the key that stands in the file. */
const WRITTEN = new Map(Object.entries(DURATIONS).map(([key, name]) => [`run.${name}`, `run.${key}`]))

/** From the strictest to the most open. */
const ORDERS: Readonly<Record<string, readonly (string | undefined)[]>> = {
  defaultMode: ['plan', 'dontAsk', 'default', 'acceptEdits', 'auto'],
  'checks.leftovers': ['fail', 'report'],
  'sandbox.wall': [undefined, 'bubblewrap', 'landlock'],
  'sandbox.mode': ['required', 'auto', 'off'],
  'sandbox.network': ['none', undefined, 'allowlist', 'open'],
}

/** With another entry, commands can reach, see, start or say more. */
const WIDER_WITH_MORE = [
  ...['additionalDirectories', 'sandbox.allow', 'sandbox.writable', 'sandbox.readable', 'env.pass', 'env.secrets'],
  ...['env.set', 'mcpServers', 'hooks', 'outputs', 'projectMcp', 'projectHooks', 'memory'],
]
/** With one entry less, a run has fewer duties, or shows more. */
const WIDER_WITH_LESS = ['checks.commands', 'checks.protect', 'redact.env', 'redact.patterns']

/**
 * The differences besides the rules, in the order of the keys. A limit counts as a limit on cost, not on what may
 * happen. Pure.
 */
export function compareSettings(before: PolicySettings, after: PolicySettings): readonly SettingChange[] {
  const { tests: _, ...old } = before
  const { tests: __, ...young } = after
  const [was, is] = [flat(old), flat(young)]
  return [...new Set([...was.keys(), ...is.keys()])].toSorted().flatMap((key) => {
    const [a, b] = [was.get(key), is.get(key)]
    if (JSON.stringify(a) === JSON.stringify(b)) return []
    const name = WRITTEN.get(key) ?? key
    const shown = (value: unknown) =>
      WRITTEN.has(key) && typeof value === 'number' ? shortDuration(value) : show(value)
    return [{ key: name, was: shown(a), is: shown(b), isWider: isWider(key, a, b) }]
  })
}

function show(value: unknown): string {
  return value === undefined ? 'unset' : typeof value === 'string' ? value : JSON.stringify(value)
}

/** Settings by dotted key, two levels deep. Below that, values are compared as a whole. */
function flat(settings: object): Map<string, unknown> {
  const isPlain = (value: unknown): value is object =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
  return new Map(
    Object.entries(settings).flatMap(([key, value]): [string, unknown][] =>
      isPlain(value) ? Object.entries(value).map(([name, inner]) => [`${key}.${name}`, inner]) : [[key, value]],
    ),
  )
}

function isWider(key: string, was: unknown, is: unknown): boolean {
  const order = ORDERS[key]
  if (order !== undefined) return order.indexOf(is as string) > order.indexOf(was as string)
  const isBelow = (tops: readonly string[]) => tops.some((top) => key === top || key.startsWith(`${top}.`))
  if (isBelow(WIDER_WITH_LESS)) return hasMore(was, is)
  return isBelow(WIDER_WITH_MORE) && hasMore(is, was)
}

/** True if the first has something that the second does not. */
function hasMore(first: unknown, second: unknown): boolean {
  if (first === undefined || first === false) return false
  if (!Array.isArray(first)) return JSON.stringify(first) !== JSON.stringify(second)
  const known = new Set((Array.isArray(second) ? second : []).map((each) => JSON.stringify(each)))
  return first.some((each) => !known.has(JSON.stringify(each)))
}
