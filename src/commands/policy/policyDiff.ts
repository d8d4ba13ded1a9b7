import type { ProcessIo } from '../../contracts/processIo.ts'
import type { PolicySettings } from '../../contracts/settings.ts'
import { DURATIONS } from '../../contracts/settings.ts'
import { isObject } from '../../lib/isObject.ts'
import { shortDuration } from '../../lib/text/duration.ts'
import { firstOf, oneLine } from '../../lib/text/words.ts'
import type { Policy } from '../../policy/Policy.ts'
import { sampleCalls } from '../../policy/suggest/sampleCalls.ts'
import { callLabel } from '../../report/callLabel.ts'
import { codeSpan } from '../../report/markdown/markdownText.ts'
import type { CommandLine } from '../runCommandLine.ts'
import { createDecider } from './createDecider.ts'
import { loadCommandPolicy } from './loadCommandPolicy.ts'

type Difference = Awaited<ReturnType<typeof compare>>

/**
 * `kode-run policy diff OLD NEW`: shows what only one of them allows, by example calls made from the rules of both.
 * With `--no-wider` it exits with 1 if NEW allows more.
 */
export async function policyDiff(io: ProcessIo, { flags, positionals }: CommandLine): Promise<number> {
  const [before = '', after = ''] = positionals
  const old = await loadCommandPolicy(io, flags, { file: before })
  const next = await loadCommandPolicy(io, flags, { file: after })
  const difference = await compare(old, next)
  io.print(flags['json'] === true ? `${JSON.stringify(difference)}\n` : render(difference))
  return flags['no-wider'] === true && isWider(difference) ? 1 : 0
}

function isWider({ wider, settings }: Difference): boolean {
  return wider.length > 0 || settings.some((setting) => setting.isWider)
}

/** Rules as `list rule`, example calls and settings that only one of them has. */
async function compare(old: Policy, next: Policy) {
  const deciderOf = (policy: Policy) => createDecider(policy, policy.settings.defaultMode)
  const [before, after] = [deciderOf(old), deciderOf(next)]
  const wider: string[] = []
  const narrower: string[] = []
  for (const call of sampleCalls([old, next])) {
    const [was, is] = [(await before(call)).decision, (await after(call)).decision]
    if (was !== is) (is === 'allow' ? wider : narrower).push(callLabel(call.tool, call.input))
  }
  const [oldRules, nextRules] = [rulesOf(old), rulesOf(next)]
  return {
    added: nextRules.filter((rule) => !oldRules.includes(rule)),
    removed: oldRules.filter((rule) => !nextRules.includes(rule)),
    wider,
    narrower,
    settings: compareSettings(old.settings, next.settings),
  }
}

function rulesOf({ rules }: Policy): readonly string[] {
  return [...new Set(rules.map(({ list, text }) => `${list} ${text}`))]
}

const MOST = 20

/** Markdown that also reads well in a terminal. */
function render(difference: Difference): string {
  const { added, removed, wider, narrower, settings } = difference
  if ([added, removed, wider, narrower, settings].every((list) => list.length === 0))
    return 'The policies mean the same.\n'
  const isSame = wider.length + narrower.length === 0
  return [
    isWider(difference) ? '**The new policy allows more.**\n' : '**The new policy allows no more than the old one.**\n',
    section('It allows, and the old one did not', wider.map(quoted)),
    section('It no longer allows', narrower.map(quoted)),
    section(
      'Settings',
      settings.map(
        ({ key, was, is, isWider: opens }) =>
          `${codeSpan(key)}: ${quoted(was)} → ${quoted(is)}${opens ? ' **(allows more)**' : ''}`,
      ),
    ),
    section(isSame ? 'Rules, without effect on any example' : 'Rules', [
      ...added.map((rule) => `+ ${quoted(rule)}`),
      ...removed.map((rule) => `− ${quoted(rule)}`),
    ]),
  ].join('')
}

function quoted(text: string): string {
  return codeSpan(oneLine(text, 200))
}

function section(title: string, lines: readonly string[]): string {
  if (lines.length === 0) return ''
  const shown = firstOf(lines, MOST, (left) => `and ${left} more`)
  return `\n${title}:\n\n${shown.map((line) => `- ${line}\n`).join('')}`
}

/** Durations, by the key that stands in the file. */
const WRITTEN = new Map(Object.entries(DURATIONS).map(([key, name]) => [`run.${name}`, `run.${key}`]))

/** From the strictest to the most open. */
const ORDERS: Readonly<Record<string, readonly (string | undefined)[]>> = {
  defaultMode: ['plan', 'dontAsk', 'default', 'acceptEdits', 'auto'],
  'checks.leftovers': ['fail', 'report'],
  'checks.findings': ['warning', 'error', undefined],
  'sandbox.wall': [undefined, 'bubblewrap', 'landlock'],
  'sandbox.mode': ['required', 'auto', 'off'],
  'sandbox.network': ['none', undefined, 'allowlist', 'open'],
}

/** With another entry, commands can reach, see, start or say more. */
const WIDER_WITH_MORE = [
  ...['additionalDirectories', 'sandbox.allow', 'sandbox.writable', 'sandbox.readable', 'env.pass', 'env.secrets'],
  ...['env.set', 'mcpServers', 'hooks', 'outputs', 'projectMcp', 'projectHooks', 'memory', 'plugins'],
  ...['run.apiKeyHelper', 'run.baseUrl', 'run.searchEndpoint'],
]
/** With one entry less, a run has fewer duties, or shows more. */
const WIDER_WITH_LESS = ['checks.commands', 'checks.protect', 'redact.env', 'redact.patterns']

/** In the order of the keys. A limit counts as a limit on cost, not on what may happen. Pure. */
function compareSettings(before: PolicySettings, after: PolicySettings) {
  const [was, is] = [flat(before), flat(after)]
  return [...new Set([...was.keys(), ...is.keys()])].toSorted().flatMap((key) => {
    const [a, b] = [was.get(key), is.get(key)]
    if (JSON.stringify(a) === JSON.stringify(b)) return []
    const name = WRITTEN.get(key) ?? key
    const shown = (value: unknown) =>
      WRITTEN.has(key) && typeof value === 'number' ? shortDuration(value) : show(value)
    return [{ key: name, was: shown(a), is: shown(b), isWider: allowsMore(key, a, b) }]
  })
}

function show(value: unknown): string {
  return value === undefined ? 'unset' : typeof value === 'string' ? value : JSON.stringify(value)
}

/** Settings by dotted key, two levels deep. Below that, values are compared as a whole, but for the variables. */
function flat({ tests: _, env: { set, ...env }, ...others }: PolicySettings): Map<string, unknown> {
  return new Map(
    Object.entries({ ...others, env, 'env.set': set }).flatMap(([key, value]): [string, unknown][] =>
      isObject(value) ? Object.entries(value).map(([name, inner]) => [`${key}.${name}`, inner]) : [[key, value]],
    ),
  )
}

function allowsMore(key: string, was: unknown, is: unknown): boolean {
  const order = ORDERS[key]
  if (order !== undefined) return order.indexOf(is as string) > order.indexOf(was as string)
  const isBelow = (tops: readonly string[]) => tops.some((top) => key === top || key.startsWith(`${top}.`))
  if (isBelow(WIDER_WITH_LESS)) return hasMore(was, is)
  return isBelow(WIDER_WITH_MORE) && hasMore(is, was)
}

function hasMore(first: unknown, second: unknown): boolean {
  if (first === undefined || first === false) return false
  if (!Array.isArray(first)) return JSON.stringify(first) !== JSON.stringify(second)
  const known = new Set((Array.isArray(second) ? second : []).map((each) => JSON.stringify(each)))
  return first.some((each) => !known.has(JSON.stringify(each)))
}
