import type { Behavior } from '../../contracts/decision.ts'
import { didYouMean, nearest } from '../../lib/text/nearest.ts'
import { parseDomainPattern } from '../matchers/domain.ts'
import { commandTarget, parseCommandPattern } from '../matchers/parseCommandPattern.ts'
import { problemOfPathPattern } from '../matchers/path.ts'
import type { Rule, RuleTarget } from '../Policy.ts'
import { quoted, type RuleProblem, splitRule } from './splitRule.ts'
import { allToolNames, canonicalName, familyOf, grammarOf, toolKnowledge } from './toolNames.ts'

export type ParsedRule = {
  /** The model-facing name, whichever alias was written; for MCP rules the text itself. */
  readonly tool: string
  readonly target: RuleTarget
  /** Why the rule can never match, or names something that does not exist. `target` is `nothing` in that case. */
  readonly problem?: RuleProblem
}

/** Parameters of Agent that a deny or ask rule may test; any other `x:y` is an agent's name. */
const AGENT_PARAMETERS = new Set(['description', 'model', 'name', 'prompt', 'run_in_background', 'subagent_type'])
const BASH_PARAMETERS = new Set(['description', 'run_in_background', 'timeout'])

/** Parses `Tool` or `Tool(specifier)`. Never throws; a rule that can never match has a `problem`. */
export function parseRule(text: string, list: Behavior, extraTools: readonly string[] = []): ParsedRule {
  const parts = splitRule(text)
  if ('message' in parts) return failed(text.trim(), parts)
  const { name, specifier } = parts
  if (name.startsWith('mcp__')) return parseMcpRule(name, specifier, list)
  const tool = canonicalName(name)
  const unknown = extraTools.includes(name) ? undefined : problemOfName(name)
  if (unknown) return failed(tool, unknown)
  if (specifier === undefined) return { tool, target: { kind: 'bare' } }
  if (specifier.trim() === '')
    return failed(tool, { kind: 'form', message: `${name}() is empty and matches nothing`, edit: name })
  const target = parseSpecifier(tool, specifier, list)
  if ('message' in target) return failed(tool, target)
  const problem = extraTools.includes(name) ? undefined : problemOfParameter(tool, target)
  return problem ? failed(tool, problem) : { tool, target }
}

/** A rule of our own making, which has no problem. */
export function ruleOf(text: string, list: Behavior, place: Pick<Rule, 'file' | 'line' | 'column'>): Rule {
  const { tool, target } = parseRule(text, list)
  return { ...place, text, list, tool, target }
}

function problemOfParameter(tool: string, target: RuleTarget): RuleProblem | undefined {
  const known = toolParameters(tool)
  if (target.kind !== 'parameter' || known === undefined || known.includes(target.name)) return undefined
  const near = nearest(target.name, known)
  const has = known.length === 0 ? 'it has none' : `it has ${known.join(', ')}`
  const edit = near === undefined ? (known.length === 0 ? tool : undefined) : `${tool}(${near}:${target.pattern})`
  const message = `${tool} has no parameter ${quoted(target.name)}; ${has}`
  return { kind: 'form', message, ...(edit === undefined ? {} : { edit }) }
}

function failed(tool: string, problem: RuleProblem): ParsedRule {
  return { tool, target: { kind: 'nothing' }, problem }
}

function problemOfName(name: string): RuleProblem | undefined {
  const knowledge = toolKnowledge(name)
  if (knowledge === 'known') return undefined
  if (knowledge === 'absent') {
    return { kind: 'absent', message: `there is no tool ${name} here; the rule has no effect` }
  }
  if (/^mcp_/i.test(name)) {
    const edit = /^mcp__./i.test(name) ? { edit: `mcp__${name.slice(5)}` } : {}
    return { kind: 'unknown', message: 'an MCP tool is written `mcp__server__tool`', ...edit }
  }
  if (name.includes('*'))
    return { kind: 'form', message: `${quoted(name)}: tool names take no \`*\`, except \`mcp__server__*\`` }
  const near = didYouMean(name, allToolNames())
  // No tool name begins with a small letter, but program names do.
  const edit = near === '' && /^[a-z]/.test(name) ? { edit: `Bash(${name} *)` } : {}
  return { kind: 'unknown', message: `unknown tool ${quoted(name)}${near}`, ...edit }
}

function parseSpecifier(tool: string, specifier: string, list: Behavior): RuleTarget | RuleProblem {
  switch (grammarOf(tool)) {
    case 'command':
      return parseCommand(specifier, list)
    case 'read':
    case 'write':
      return parsePath(tool, specifier)
    case 'domain': {
      const pattern = parseDomainPattern(specifier)
      return 'error' in pattern ? asProblem(pattern) : { kind: 'domain', pattern: pattern.host }
    }
    case 'name':
      return parseName(tool, specifier, list)
    case 'none':
      return parseOther(tool, specifier, list)
  }
}

function asProblem({ error, edit }: { readonly error: string; readonly edit?: string }): RuleProblem {
  return { kind: 'form', message: error, ...(edit === undefined ? {} : { edit }) }
}

function parseCommand(specifier: string, list: Behavior): RuleTarget | RuleProblem {
  const parameter = parseParameter(specifier)
  if (parameter && BASH_PARAMETERS.has(parameter.name)) return onlyAgainst(list, 'Bash', parameter)
  const pattern = parseCommandPattern(specifier)
  if ('error' in pattern) {
    const edit = pattern.edits?.map((text) => `Bash(${text})`).join(' and ')
    return asProblem({ error: pattern.error, ...(edit === undefined ? {} : { edit }) })
  }
  return pattern.kind === 'any' ? { kind: 'bare' } : commandTarget(specifier, pattern)
}

function parsePath(tool: string, specifier: string): RuleTarget | RuleProblem {
  const problem = problemOfPathPattern(specifier)
  if (problem !== undefined) return { kind: 'form', message: problem }
  return { kind: 'path', access: tool === 'Read' ? 'read' : 'write', pattern: specifier }
}

function parseName(tool: string, specifier: string, list: Behavior): RuleTarget | RuleProblem {
  const parameter = parseParameter(specifier)
  const isParameter = parameter && tool === 'Agent' && AGENT_PARAMETERS.has(parameter.name)
  // A call that leaves out the parameter still means a known agent.
  const isType = isParameter && parameter.name === 'subagent_type' && list !== 'allow'
  if (isType) return parseName(tool, parameter.pattern, list)
  if (isParameter) return onlyAgainst(list, tool, parameter)
  const name = specifier.trim().replace(/(?::|\s+)\*$/, '')
  return name === '*' ? { kind: 'bare' } : { kind: 'name', pattern: name }
}

/** Tools without their own rule syntax. A file tool points to its family's rule; the others take `parameter:value`. */
function parseOther(tool: string, specifier: string, list: Behavior): RuleTarget | RuleProblem {
  const family = familyOf(tool)
  if (family) {
    const message = `${tool} takes no path of its own: ${family} rules cover every tool that ${family === 'Read' ? 'reads' : 'writes'}`
    return { kind: 'family', message, edit: `${family}(${specifier})` }
  }
  if (specifier.trim() === '*') return { kind: 'bare' }
  const parameter = parseParameter(specifier)
  if (parameter) return onlyAgainst(list, tool, parameter)
  return { kind: 'form', message: `${tool} takes no specifier`, edit: tool }
}

type ParameterTarget = Extract<RuleTarget, { kind: 'parameter' }>

function parseParameter(specifier: string): ParameterTarget | undefined {
  const found = /^([A-Za-z_]\w*):(.+)/s.exec(specifier)
  return found ? { kind: 'parameter', name: found[1] ?? '', pattern: found[2] ?? '' } : undefined
}

function onlyAgainst(list: Behavior, tool: string, target: ParameterTarget): RuleTarget | RuleProblem {
  if (list !== 'allow') return target
  return { kind: 'form', message: `${tool}(${target.name}:…) can only deny or ask; an allow must know the whole call` }
}

function parseMcpRule(name: string, specifier: string | undefined, list: Behavior): ParsedRule {
  const rest = name.slice('mcp__'.length)
  const cut = rest.indexOf('__')
  const server = cut < 0 ? rest : rest.slice(0, cut)
  const tool = cut < 0 ? '*' : rest.slice(cut + 2)
  if (server === '' || tool === '') {
    return failed(name, { kind: 'form', message: `${quoted(name)} names no ${server === '' ? 'server' : 'tool'}` })
  }
  if (list === 'allow' && server.includes('*')) {
    return failed(name, { kind: 'form', message: 'an allow names its server in full: `mcp__server__*`' })
  }
  if (specifier === undefined) return { tool: name, target: { kind: 'mcp', server, tool } }
  const parameter = parseParameter(specifier)
  if (!parameter)
    return failed(name, {
      kind: 'form',
      message: `${name} takes only a specifier of the form parameter:value`,
      edit: name,
    })
  const target = onlyAgainst(list, name, parameter)
  return 'message' in target ? failed(name, target) : { tool: `mcp__${server}__${tool}`, target }
}

/** The fields that rules may name, by tool. A field that a tool does not have never matches. */
const PARAMETERS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    Architect: 'prompt context',
    AskExpertModel: 'question context expert_model',
    AskUserQuestion: 'questions answers',
    BashOutput: 'bash_id task_id block timeout',
    EnterPlanMode: '',
    EnterWorktree: 'name',
    ExitPlanMode: 'plan',
    ExitWorktree: 'discard_changes',
    Finish: 'status summary output',
    KillShell: 'shell_id task_id',
    ListMcpResources: 'server',
    MemoryRead: 'file_path',
    MemoryWrite: 'file_path content',
    PowerShell: 'command timeout description',
    ProposeOutput: 'output',
    ReadMcpResource: 'server uri',
    ReportFinding: 'path line end_line severity title message',
    SendMessage: 'to message summary',
    SendUserFile: 'files caption',
    Sleep: 'duration_ms reason',
    TaskCreate: 'subject description activeForm owner metadata blockedBy',
    TaskGet: 'taskId',
    TaskList: '',
    TaskUpdate: 'taskId subject description activeForm metadata status owner addBlockedBy addBlocks',
    Think: 'thought',
    TodoWrite: 'todos',
    ToolSearch: 'query max_results',
    WebSearch: 'query allowed_domains blocked_domains',
  }).map(([tool, names]) => [tool, names.split(' ').filter((name) => name !== '')]),
)

/** The fields that rules on a tool may test; undefined for tools of servers and library users. */
export function toolParameters(tool: string): readonly string[] | undefined {
  return PARAMETERS.get(tool)
}
