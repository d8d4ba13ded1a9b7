import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { COMMANDS } from '../src/config/commands.ts'
import { type Flag, RUN_FLAGS } from '../src/config/flags.ts'
import { EXIT_CODES } from '../src/contracts/errors.ts'
import { policyJsonSchema } from '../src/policy/policyJsonSchema.ts'
import { getAllBaseTools } from '../src/tools.ts'

/** README with its tables made anew from the source; everything outside the markers stays. */
export async function withTables(readme: string): Promise<string> {
  const tables: Readonly<Record<string, string>> = {
    commands: commandTable(),
    flags: flagTable(),
    'exit codes': exitTable(),
    tools: await toolTable(),
    'policy keys': keyTable(),
    'action inputs': actionTable('inputs'),
    'action outputs': actionTable('outputs'),
  }
  return readme.replace(
    /(<!-- begin: ([a-z ]+) -->\n)[\s\S]*?(<!-- end -->)/g,
    (_all, begin: string, name: string, end: string) => {
      const table = tables[name]
      if (table === undefined) throw new Error(`README: there is no table ${name}`)
      return `${begin}${table}\n${end}`
    },
  )
}

function commandTable(): string {
  return Object.entries(COMMANDS)
    .map(([name, { usage, describe }]) => `- \`${['kode-run', name, usage].join(' ').trim()}\`: ${describe}`)
    .join('\n')
}

function flagTable(): string {
  const rows = Object.entries(RUN_FLAGS as Readonly<Record<string, Flag>>).map(([name, flag]) => {
    const value = flag.value === undefined ? '' : ` ${flag.value}`
    const key = flag.policyKey === undefined ? '' : `\`run.${flag.policyKey}\``
    return `| \`--${name}${cell(value)}\` | ${cell(flag.describe)} | ${flag.fallback ?? ''} | ${key} |`
  })
  return ['| flag | what it does | default | policy |', '|---|---|---|---|', ...rows].join('\n')
}

function exitTable(): string {
  const byCode = new Map<number, string[]>()
  const rerun = new Map<number, string>()
  for (const [reason, row] of Object.entries(EXIT_CODES)) {
    byCode.set(row.code, [...(byCode.get(row.code) ?? []), `\`${reason}\` ${row.meaning}`])
    rerun.set(row.code, row.rerun)
  }
  const rows = [...byCode]
    .sort(([a], [b]) => a - b)
    .map(([code, reasons]) => `| ${code} | ${cell(reasons.join('; '))} | ${rerun.get(code)} |`)
  return ['| code | reason | running again helps |', '|---|---|---|', ...rows].join('\n')
}

/** Two paragraphs: what is offered at once, and what ToolSearch loads. */
async function toolTable(): Promise<string> {
  const named = await Promise.all(
    getAllBaseTools().map(async (tool) => {
      const [line = ''] = (await tool.description({ tools: [], cwd: '/project' })).split('\n')
      return { text: `\`${tool.name}\` ${line.replace(/\.$/, '')}`, isDeferred: tool.shouldDefer && !tool.alwaysLoad }
    }),
  )
  const list = (isDeferred: boolean) =>
    named
      .filter((tool) => tool.isDeferred === isDeferred)
      .map((tool) => tool.text)
      .join(' · ')
  return `${list(false)}.\n\nOn demand, by ToolSearch: ${list(true)}.`
}

function keyTable(): string {
  const schema = JSON.parse(policyJsonSchema()) as { properties: Record<string, { description?: string }> }
  return `${Object.entries(schema.properties)
    .map(([key, value]) => `\`${key}\` ${(value.description ?? '').replace(/\.$/, '')}`)
    .join(' · ')}.`
}

type ActionFields = Readonly<Record<string, { readonly description: string; readonly default?: string }>>

function actionTable(part: 'inputs' | 'outputs'): string {
  const file = parse(readFileSync('action.yml', 'utf8')) as Readonly<Record<typeof part, ActionFields>>
  const rows = Object.entries(file[part]).map(([name, field]) => {
    const fallback = field.default === undefined ? '' : ` (default \`${field.default}\`)`
    return `| \`${name}\` | ${cell(field.description)}${fallback} |`
  })
  return [`| ${part.slice(0, -1)} | what it is |`, '|---|---|', ...rows].join('\n')
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|')
}
