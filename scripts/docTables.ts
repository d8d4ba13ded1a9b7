import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import * as z from 'zod'
import { COMMANDS, type CommandInfo } from '../src/config/commands.ts'
import type { Flag } from '../src/config/Flag.ts'
import { RUN_FLAGS } from '../src/config/flags.ts'
import { FOREIGN_FLAGS, type ForeignFlag } from '../src/config/foreignFlags.ts'
import { EXIT_CODES } from '../src/contracts/errors.ts'
import { stampSchema } from '../src/contracts/events/eventSchema.ts'
import { FOREIGN_INPUTS, INPUTS } from '../src/github/inputs.ts'
import { PLACES } from '../src/lib/places/places.ts'
import { policyJsonSchema } from '../src/policy/load/policySchema.ts'
import { presets, readPreset } from '../src/policy/presets.ts'
import { getAllBaseTools } from '../src/tools.ts'
import { eventJsonSchema } from './eventJsonSchema.ts'
import { moduleDoors } from './moduleDoors.ts'
import { type JsonSchema, schemaRows } from './schemaRows.ts'

const TABLES: Readonly<Record<string, () => string | Promise<string>>> = {
  commands: commandTable,
  'command flags': commandFlags,
  flags: () => flagTable(RUN_FLAGS),
  'foreign flags': foreignTable,
  'foreign inputs': foreignInputTable,
  'exit codes': exitTable,
  tools: () => toolTable(false),
  'tools on demand': () => toolTable(true),
  'policy keys': keyTables,
  presets: presetTable,
  'protected places': placeLists,
  'event stamp': stampTable,
  events: eventTables,
  'action inputs': () => actionTable('inputs'),
  'action outputs': () => actionTable('outputs'),
  'module doors': moduleDoors,
}

/** A document with its tables made anew from the source; everything outside the markers stays. */
export async function withTables(document: string): Promise<string> {
  const made = new Map<string, string>()
  for (const [, name = ''] of document.matchAll(/<!-- begin: ([a-z ]+) -->/g)) {
    const table = TABLES[name]
    if (table === undefined) throw new Error(`There is no table ${name}`)
    made.set(name, await table())
  }
  return document.replace(
    /(<!-- begin: ([a-z ]+) -->\n)[\s\S]*?(<!-- end -->)/g,
    (_all, begin: string, name: string, end: string) => `${begin}\n${made.get(name)}\n\n${end}`,
  )
}

const KINDS = {
  'write-protected': 'Nothing writes there without a rule that names the place:',
  'read-secret':
    'Nothing reads there without such a rule, and commands in the sandbox do not see it (an Edit rule is enough to write there):',
  'home-credential': 'Nothing reads or writes these logins of your home folder without such a rule:',
} as const

/** The places by what they are protected against, and why. */
function placeLists(): string {
  const lists = Object.entries(KINDS).map(([kind, head]) => {
    const found = PLACES.filter((place) => place.kind === kind)
    const lines = [...new Set(found.map(({ why }) => why))].flatMap((why) => {
      const names = [...new Set(found.filter((place) => place.why === why).map(nameOf))]
      const parts = names.flatMap((_, at) => (at % 8 === 0 ? [names.slice(at, at + 8)] : []))
      return parts.map((part) => `- ${part.join(', ')}: ${why}`)
    })
    return `${head}\n\n${lines.join('\n')}`
  })
  return lists.join('\n\n')
}

/** A name of words is no path. */
function nameOf({ name }: (typeof PLACES)[number]): string {
  return / /.test(name) ? name : `\`${name}\``
}

function commandTable(): string {
  const rows = Object.entries(COMMANDS).map(([name, { usage, describe }]) => {
    const line = ['kode-run', name, usage].join(' ').trim()
    return `| \`${cell(line)}\` | ${cell(describe)} |`
  })
  return table(['command', 'what it does'], rows)
}

/** The flags that a command does not share with a run. */
function commandFlags(): string {
  const sections = Object.entries(COMMANDS as Readonly<Record<string, CommandInfo>>).flatMap(([name, { flags }]) => {
    const own = Object.entries(flags).filter(([flag, info]) => !Object.is((RUN_FLAGS as Flags)[flag], info))
    return own.length === 0 ? [] : [`**\`${name}\`**\n\n${flagTable(Object.fromEntries(own))}`]
  })
  return sections.join('\n\n')
}

type Flags = Readonly<Record<string, Flag>>

function flagTable(flags: Flags): string {
  const rows = Object.entries(flags).map(([name, flag]) => {
    const value = flag.value === undefined ? '' : ` ${flag.value}`
    const key = flag.policyKey === undefined ? '' : ` (\`run.${flag.policyKey}\`)`
    const alias = (flag.alias ?? []).map((other) => `, \`${other.length === 1 ? '-' : '--'}${other}\``).join('')
    const choices = flag.choices === undefined ? '' : `: ${flag.choices.join(', ')}`
    return `| \`--${name}${cell(value)}\`${alias} | ${cell(flag.describe)}${choices}${key} | ${flag.fallback ?? ''} |`
  })
  return table(['flag', 'what it does', 'default'], rows)
}

function foreignTable(): string {
  const rows = Object.entries(FOREIGN_FLAGS).map(([name, flag]) => {
    const dashes = name.length === 1 ? '-' : '--'
    return `| \`${dashes}${name}\` | ${cell(meaningOf(flag))} |`
  })
  return table(['flag elsewhere', 'here'], rows)
}

/** A line of a table may not be longer; see `lintDocument`. */
const MOST_CHARACTERS = 120

/** One row for each piece of advice, or more where a row would become too long. */
function foreignInputTable(): string {
  const rows = [...new Set(Object.values(FOREIGN_INPUTS))].flatMap((advice) => {
    const all = Object.keys(FOREIGN_INPUTS).filter((name) => FOREIGN_INPUTS[name] === advice)
    const right = Object.hasOwn(INPUTS, advice) ? `\`${advice}\`` : cell(advice)
    const rows: string[] = []
    for (const name of all) {
      const longer = (rows.at(-1) ?? '').replace(/ \|[^|]*\|$/, `, \`${name}\` | ${right} |`)
      if (rows.length > 0 && longer.length <= MOST_CHARACTERS) rows.splice(-1, 1, longer)
      else rows.push(`| \`${name}\` | ${right} |`)
    }
    return rows
  })
  return table(['input elsewhere', 'here'], rows)
}

/** What becomes of a flag, and why; a refused one has the words that its user reads. */
function meaningOf({ replacements = {}, notBefore, advice }: ForeignFlag): string {
  const cases = Object.entries(replacements)
  const [words] = cases.map(([, instead]) => instead)
  const named = cases.flatMap(([value]) => (value === '' || value === '*' ? [] : [`\`${value}\``])).join(', ')
  if (words === undefined) return advice
  if (named !== '') return `${named}: ${words.length === 0 ? 'no effect' : `as \`${words[0]}\``}. Others: ${advice}`
  if (words.length === 0) return `No effect: ${advice}`
  return notBefore === undefined ? `As \`${words.join(' ')}\`.` : `As \`${words.join(' ')}\`. With a setting: ${advice}`
}

function exitTable(): string {
  const rows = Object.entries(EXIT_CODES)
    .sort(([, a], [, b]) => a.code - b.code)
    .map(([reason, { code, meaning, rerun }]) => `| ${code} | \`${reason}\` | ${cell(meaning)} | ${rerun} |`)
  return table(['code', 'reason', 'what happened', 'does a rerun help?'], rows)
}

/** The tools that are offered at once, or those that ToolSearch loads. */
async function toolTable(isDeferred: boolean): Promise<string> {
  const tools = getAllBaseTools().filter((tool) => (tool.shouldDefer && !tool.alwaysLoad) === isDeferred)
  const rows = await Promise.all(
    tools.map(async (tool) => {
      const text = await tool.description({ tools: [], cwd: '/project' })
      const [, sentence = text] = /^(.+?[.?!])(?:\s|$)/.exec(text) ?? []
      return `| \`${tool.name}\` | ${cell(sentence)} |`
    }),
  )
  return table(['tool', 'what it does'], rows)
}

/** One table for each top-level key that has keys of its own; the others share the first table. */
function keyTables(): string {
  const rows = schemaRows(JSON.parse(policyJsonSchema()) as JsonSchema).map((row) => ({
    ...row,
    // All hook events take the same groups: the keys of a group stand there once.
    path: row.path.replace(/^hooks\.\w+\[\]/, 'hooks.<event>[]'),
  }))
  const unique = [...new Map(rows.map((row) => [JSON.stringify(row), row])).values()]
  const isTop = ({ path }: { path: string }) => !/[.[]/.test(path)
  const groups = [unique.filter(isTop)]
  for (const { path: top } of unique.filter(isTop)) {
    groups.push(unique.filter(({ path }) => path.startsWith(`${top}.`) || path.startsWith(`${top}[`)))
  }
  return groups
    .filter((group) => group.length > 0)
    .map((group, index) => {
      const heading = `### ${index === 0 ? 'Top level' : group[0]?.path.replace(/[.[].*/, '')}`
      const lines = group.map((row) => `| \`${row.path}\` | ${typeCell(row.type)} | ${cell(row.description ?? '')} |`)
      return `${heading}\n\n${table(['key', 'type', 'what it does'], lines)}`
    })
    .join('\n\n')
}

/** What each preset is for: the first sentence of its file. */
function presetTable(): string {
  const rows = presets.map((name) => {
    const [, sentence = ''] = /^# (.+?\.)(?:\s|$)/m.exec(readPreset(name)) ?? []
    return `| \`${name}\` | ${cell(sentence)} |`
  })
  return table(['preset', 'what it allows'], rows)
}

/** What a transcript adds to each event. */
function stampTable(): string {
  const stamp = z.toJSONSchema(stampSchema, { io: 'input' }) as JsonSchema
  return fieldTable(stamp, stamp)
}

/** One section for each event, with its fields down to one level below. */
function eventTables(): string {
  const root = eventJsonSchema() as JsonSchema
  return (root.anyOf ?? [])
    .map((event) => {
      const name = ['type', 'subtype'].flatMap((key) => event.properties?.[key]?.const ?? []).join('/')
      return `### ${name}\n\n${event.description ?? ''}\n\n${fieldTable(root, event)}`
    })
    .join('\n\n')
}

function fieldTable(root: JsonSchema, event: JsonSchema): string {
  const rows = schemaRows(root, event, 2)
    .filter(({ path }) => !['type', 'subtype'].includes(path))
    .map(({ path, type, isRequired }) => `| \`${path}\` | ${typeCell(type)} | ${isRequired ? 'yes' : ''} |`)
  return table(['field', 'type', 'always there'], rows)
}

type ActionFields = Readonly<Record<string, { readonly description: string; readonly default?: string }>>

function actionTable(part: 'inputs' | 'outputs'): string {
  const file = parse(readFileSync('action.yml', 'utf8')) as Readonly<Record<typeof part, ActionFields>>
  const rows = Object.entries(file[part]).map(([name, field]) => {
    const fallback = part === 'outputs' ? '' : ` ${field.default === undefined ? '' : `\`${field.default}\``} |`
    return `| \`${name}\` | ${cell(field.description)} |${fallback}`
  })
  return table([part.slice(0, -1), 'what it is', ...(part === 'inputs' ? ['default'] : [])], rows)
}

function table(heads: readonly string[], rows: readonly string[]): string {
  return [`| ${heads.join(' | ')} |`, `|${heads.map(() => '---|').join('')}`, ...rows].join('\n')
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|')
}

function typeCell(type: string): string {
  return cell(type.length > 60 ? type.replace(/ or .*/, ' …') : type).replaceAll('<', '&lt;')
}
