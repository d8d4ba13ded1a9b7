import { OWN_RULE, type Policy, type Rule } from '../Policy.ts'
import { isOfPreset } from '../presets.ts'

export type BriefFacts = {
  /** What commands can reach: `none`, hosts by name, or everything. */
  readonly network: string
  readonly mayEditAll: boolean
  readonly isPlan?: boolean
  /** True if commands cannot use `/tmp`, only `$TMPDIR`. */
  readonly hasOwnTemporary?: boolean
}

const MAX_COMMANDS = 10
const MAX_OTHERS = 6

/** The policy in a few lines, which the model knows before its first call. The same policy gives the same bytes. */
export function briefPolicy(policy: Policy, { network, mayEditAll, isPlan, hasOwnTemporary }: BriefFacts): string {
  const { allowed, denied } = changeablePaths(policy)
  const { checks, sandbox } = policy.settings
  const commands = commandsOf(policy)
  const files = mayEditAll ? ['every file of the project'] : allowed
  const changeable = [...some(files), ...(commands === 'none' ? [] : ['what git ignores'])].join(', ') || 'nothing'
  const lines = [
    ...(isPlan === true ? ['Plan mode: only tools that read may be used. Finish with the plan as the summary.'] : []),
    `Commands that may start: ${commands}`,
    `May be changed: ${changeable}${denied.length === 0 ? '' : `; not ${some(denied).join(', ')}`}`,
    `Hidden: ${[...some(hiddenBy(policy)), 'secrets such as .env'].join(', ')}`,
    `Network of commands: ${network === 'allowlist' ? some(sandbox.allow).join(', ') || 'none' : network}`,
    ...(hasOwnTemporary === true ? ['Temporary files of commands: $TMPDIR, not /tmp; the home is closed'] : []),
    ...hostsOf(policy),
    ...(checks.commands.length === 0 ? [] : [`Must pass in the end: ${some(checks.commands.map(marked)).join(', ')}`]),
  ]
  return `<policy>\n${lines.join('\n')}\n</policy>`
}

function commandsOf({ rules }: Policy): string {
  const allows = rules.filter(({ list, tool }) => list === 'allow' && tool === 'Bash')
  const others = rules.filter(({ list, tool }) => list !== 'allow' && tool === 'Bash')
  if (others.some(({ target }) => target.kind === 'bare')) return 'none'
  const against = others.flatMap(patternOf)
  const but = against.length === 0 ? '' : `; not ${some(against.map(marked)).join(', ')}`
  if (allows.some(({ target }) => target.kind === 'bare')) return `any${but}`
  const own = allows.filter((rule) => !isOfPreset(rule)).flatMap(patternOf)
  const given = allows.filter(isOfPreset)
  const presets = [...new Set(given.map(({ file }) => file))].map((file) =>
    presetWords(file, given.filter((rule) => rule.file === file).flatMap(patternOf)),
  )
  const listed = [...some(own.map(marked), MAX_COMMANDS), ...presets]
  return listed.length === 0 ? 'none' : `${listed.join(', ')}${but}`
}

function patternOf({ target }: Rule): readonly string[] {
  return target.kind === 'command' ? [target.pattern] : []
}

/** The preset's name says nothing to the model, its programs do. */
function presetWords(file: string, patterns: readonly string[]): string {
  if (file === 'preset:read-only') return 'commands that only look (ls, cat, grep, git diff …)'
  return `usual commands of ${some(patterns.map((pattern) => pattern.split(' ')[0] ?? '')).join(', ')}`
}

function hiddenBy({ rules }: Policy): readonly string[] {
  return rules.flatMap(({ list, target, file }) =>
    list === 'deny' && target.kind === 'path' && target.access === 'read' && file !== OWN_RULE ? [target.pattern] : [],
  )
}

function hostsOf({ rules }: Policy): readonly string[] {
  const hosts = rules.flatMap(({ list, target }) =>
    list === 'allow' && target.kind === 'domain' ? [target.pattern] : [],
  )
  return hosts.length === 0 ? [] : [`WebFetch: ${some(hosts).join(', ')}`]
}

function some(texts: readonly string[], most = MAX_OTHERS): readonly string[] {
  const distinct = [...new Set(texts)]
  return distinct.length > most ? [...distinct.slice(0, most), `${distinct.length - most} more`] : distinct
}

function marked(text: string): string {
  return `\`${text}\``
}

/** What commands and tools may change: the patterns of the Edit rules as written. */
export type ChangeablePaths = { readonly allowed: readonly string[]; readonly denied: readonly string[] }

/** The patterns of the Edit rules that allow, and of those that deny or ask; a bare `Edit` means every file. */
export function changeablePaths({ rules }: Pick<Policy, 'rules'>): ChangeablePaths {
  const patterns = (isChosen: (rule: Rule) => boolean): readonly string[] => [
    ...new Set(rules.filter((rule) => rule.tool === 'Edit' && isChosen(rule)).flatMap(editPatternOf)),
  ]
  return { allowed: patterns(({ list }) => list === 'allow'), denied: patterns(({ list }) => list !== 'allow') }
}

function editPatternOf({ target }: Rule): readonly string[] {
  if (target.kind === 'path') return [target.pattern]
  return target.kind === 'bare' ? ['every file'] : []
}
