import { RunError } from '../../contracts/errors.ts'
import { didYouMean } from '../../lib/text/nearest.ts'
import { allToolNames, canonicalName, toolKnowledge } from '../../policy/rules/toolNames.ts'
import type { MadeCall } from '../../query/runTools/toNamedCall.ts'

type Spelling = readonly [parameter: string | undefined, rest?: MadeCall['input']]

/** By tool: the parameter that a rule's parentheses match, and what else a call needs for its input to fit the schema. */
const SPELLINGS: ReadonlyMap<string, Spelling> = new Map(
  Object.entries<Spelling>({
    Bash: ['command'],
    PowerShell: ['command'],
    Read: ['file_path'],
    Write: ['file_path', { content: '' }],
    Edit: ['file_path', { old_string: 'a', new_string: 'b' }],
    MultiEdit: ['file_path', { edits: [{ old_string: 'a', new_string: 'b' }] }],
    NotebookRead: ['notebook_path'],
    NotebookEdit: ['notebook_path', { new_source: '' }],
    Glob: ['path', { pattern: '**' }],
    Grep: ['path', { pattern: '.' }],
    LS: ['path'],
    WebFetch: ['url', { prompt: 'read' }],
    WebSearch: ['query'],
    Agent: ['subagent_type', { prompt: 'work', description: 'work' }],
    Skill: ['skill'],
    TodoWrite: [undefined, { todos: [] }],
    Finish: [undefined, { status: 'completed', summary: 'done' }],
    Think: [undefined, { thought: 'so' }],
  }),
)

/** A call written like a rule: `Bash(git push)`, `Read(src/a.ts)`, `mcp__server__tool`. Throws `usage` for anything else. */
export function parseCall(text: string): MadeCall {
  const [, tool, argument] = /^([A-Za-z_][\w.-]*)(?:\((.*)\))?$/s.exec(text.trim()) ?? []
  if (tool === undefined) throw new RunError('usage', `${JSON.stringify(text)} is not a call such as 'Bash(git push)'.`)
  const name = canonicalName(tool)
  const [parameter, rest = {}] = SPELLINGS.get(name) ?? []
  if (argument === undefined) return { tool, input: rest }
  if (toolKnowledge(tool) === 'unknown' && !tool.startsWith('mcp__')) {
    throw new RunError('usage', `unknown tool ${JSON.stringify(tool)}${didYouMean(tool, allToolNames())}`)
  }
  if (parameter === undefined) throw new RunError('usage', `${tool}: give its input with --tool ${tool} --input JSON.`)
  // As a rule spells it.
  const isHost = name === 'WebFetch' && argument.startsWith('domain:')
  const value = isHost ? `https://${argument.slice('domain:'.length)}/` : argument
  return { tool, input: { [parameter]: value, ...rest } }
}
