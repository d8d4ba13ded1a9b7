import { RunError } from '../../contracts/errors.ts'
import { didYouMean } from '../../lib/text/nearest.ts'
import { allToolNames, canonicalName, toolKnowledge } from '../../policy/rules/toolNames.ts'
import type { NamedCall } from './createDecider.ts'

/** The parameter that a rule's parentheses match, by tool. */
const MAIN_PARAMETER: ReadonlyMap<string, string> = new Map(
  Object.entries({
    Bash: 'command',
    PowerShell: 'command',
    Read: 'file_path',
    Write: 'file_path',
    Edit: 'file_path',
    MultiEdit: 'file_path',
    NotebookRead: 'notebook_path',
    NotebookEdit: 'notebook_path',
    Glob: 'path',
    Grep: 'path',
    LS: 'path',
    WebFetch: 'url',
    WebSearch: 'query',
    Agent: 'subagent_type',
    Skill: 'skill',
  }),
)

/** Further fields that a call needs for its input to fit the schema. */
const REST: ReadonlyMap<string, NamedCall['input']> = new Map<string, NamedCall['input']>(
  Object.entries({
    Write: { content: '' },
    Edit: { old_string: 'a', new_string: 'b' },
    MultiEdit: { edits: [{ old_string: 'a', new_string: 'b' }] },
    NotebookEdit: { new_source: '' },
    Glob: { pattern: '**' },
    Grep: { pattern: '.' },
    WebFetch: { prompt: 'read' },
    Agent: { prompt: 'work', description: 'work' },
    TodoWrite: { todos: [] },
    Finish: { status: 'completed', summary: 'done' },
    Think: { thought: 'so' },
  }),
)

/** A call written like a rule: `Bash(git push)`, `Read(src/a.ts)`, `mcp__server__tool`. Throws `usage` for anything else. */
export function parseCall(text: string): NamedCall {
  const [, tool, argument] = /^([A-Za-z_][\w.-]*)(?:\((.*)\))?$/s.exec(text.trim()) ?? []
  if (tool === undefined) throw new RunError('usage', `${JSON.stringify(text)} is not a call such as 'Bash(git push)'.`)
  const name = canonicalName(tool)
  if (argument === undefined) return { tool, input: REST.get(name) ?? {} }
  if (toolKnowledge(tool) === 'unknown' && !tool.startsWith('mcp__')) {
    throw new RunError('usage', `unknown tool ${JSON.stringify(tool)}${didYouMean(tool, allToolNames())}`)
  }
  const parameter = MAIN_PARAMETER.get(name)
  if (parameter === undefined) throw new RunError('usage', `${tool}: give its input with --tool ${tool} --input JSON.`)
  // As a rule spells it.
  const isHost = name === 'WebFetch' && argument.startsWith('domain:')
  const value = isHost ? `https://${argument.slice('domain:'.length)}/` : argument
  return { tool, input: { [parameter]: value, ...REST.get(name) } }
}
