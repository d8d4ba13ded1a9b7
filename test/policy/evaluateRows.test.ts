import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Call } from '../../src/contracts/subject.ts'
import { resolvePath } from '../../src/files/resolvePath.ts'
import { toCall } from '../../src/permissions.ts'
import { evaluate } from '../../src/policy/evaluate.ts'
import { findTool } from '../../src/Tool.ts'
import { getAllBaseTools } from '../../src/tools.ts'
import {
  callOf,
  fetchCall,
  HOME,
  mcpCall,
  PROJECT,
  policyOf,
  type RuleLists,
  readCall,
  writeCall,
} from '../helpers/policy/policyCalls.ts'
import { rowsOfText, type TextRow } from '../helpers/rowsOfText.ts'

const context = { cwd: PROJECT, home: HOME, resolvePath: (path: string, cwd = PROJECT) => resolvePath(path, cwd, HOME) }

function bashCall(command: string): Call {
  const tool = findTool(getAllBaseTools(), 'Bash')
  if (tool === undefined) throw new Error('there is no Bash')
  return toCall(tool, { command }, context)
}

/** `TOOL WORDS`, where Bash is `$`, and a name or a tool of a server has JSON for its input. Several paths are several calls. */
function callsOf(text: string): readonly Call[] {
  const [, tool = '', rest = ''] = /^(\S+) (.+)$/.exec(text) ?? []
  const [, words = '', json = '{}'] = /^(.*?)(?: (\{.*\}))?$/.exec(rest) ?? []
  const [first = '', second = ''] = words.split(' ')
  const paths = () => rest.split(', ').map((path) => path.replace(/^~(?=\/|$)/, HOME))
  if (tool === '$') return [bashCall(rest)]
  if (/^(?:Read|Grep)$/.test(tool)) return paths().map((path) => readCall(path, tool))
  if (/^(?:Write|Edit)$/.test(tool)) return paths().map((path) => writeCall(path, tool))
  if (tool === 'WebFetch') return [fetchCall(rest)]
  if (tool === 'mcp') return [{ ...mcpCall(first, second), input: JSON.parse(json) }]
  if (tool === 'ReadMcpResource') return [callOf(tool, [{ kind: 'mcp', server: first, tool: second }])]
  if (/^(?:Agent|Skill)$/.test(tool))
    return [callOf(tool, [{ kind: 'name', tool, specifier: words }], { input: JSON.parse(json) })]
  throw new Error(`no call: ${text}`)
}

function listsOf(options: readonly string[]): RuleLists {
  const lists: Record<string, string[]> = {}
  for (const option of options) {
    const [, list, rules = ''] = /^(allow|ask|deny): (.+)$/.exec(option) ?? []
    if (list === undefined) throw new Error(`no rules: ${option}`)
    lists[list] = [...(lists[list] ?? []), ...rules.split(', ')]
  }
  return lists
}

/** `CALL => BEHAVIOR`, or with the type of the reason and its rule or code, and rules of its own behind a `|`. */
async function played({ line, shared, below }: TextRow): Promise<readonly [actual: string, expected: string]> {
  const text = line.replace(/\\u([0-9a-f]{4})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
  const [call = '', expected, ...options] = text.split(/ => | \| (?=\w+: )/)
  if (expected === undefined) throw new Error(`no row: ${line}`)
  const policy = await policyOf(listsOf([...shared, ...below, ...options]))
  const told = callsOf(call).map((each) => {
    const { behavior, reason } = evaluate(policy, each)
    const why = 'why' in reason && reason.why !== undefined ? ` ${reason.why.code}` : ''
    return expected.includes(' ')
      ? `${behavior} ${reason.type}${reason.type === 'rule' ? ` ${reason.rule.text}` : ''}${why}`
      : behavior
  })
  return [`${call} => ${told.join(', ')}`, `${call} => ${told.map(() => expected).join(', ')}`]
}

describe.each(['paths', 'places', 'hosts', 'names', 'commands'])('%s', (name) => {
  const rows = rowsOfText(readFileSync(new URL(`rows/${name}.txt`, import.meta.url), 'utf8'))
  it.each([...new Set(rows.map(({ group }) => group))])('%s', async (name) => {
    const all = await Promise.all(rows.filter(({ group }) => group === name).map(played))
    expect(all.map(([actual]) => actual)).toEqual(all.map(([, expected]) => expected))
  })
})

it('says what allowed a thing without a rule', async () => {
  const rows = [
    ['true', 'it needs no rule'],
    ['make > a', 'no rule covers it, so it stays only if git ignores it'],
    ['make > src/a', 'Edit(src/**)'],
    ['make > /var/tmp/a', 'commands may write there'],
    ['cp a b', 'the command needs the rule, not its operand'],
  ] as const
  for (const [line, detail] of rows) {
    const { parts } = evaluate(await policyOf({ allow: ['Bash(make)', 'Bash(cp *)', 'Edit(src/**)'] }), bashCall(line))
    const details = parts.map(({ reason }) =>
      reason.type === 'builtin' ? reason.detail : reason.type === 'rule' ? reason.rule.text : reason.type,
    )
    expect(details).toContain(detail)
  }
})
