import type { Behavior } from '../../contracts/decision.ts'
import { didYouMean, nearest } from '../../lib/text/nearest.ts'
import { parseDomainPattern } from '../matchers/domain.ts'
import { parseCommandPattern } from '../matchers/parseCommandPattern.ts'
import { problemOfPathPattern } from '../matchers/path.ts'
import type { Rule, RuleTarget } from '../Policy.ts'
import { problem, quoted, type RuleProblem, splitRule } from './splitRule.ts'
import { allToolNames, canonicalName, familyOf, grammarOf, toolKnowledge, toolParameters } from './toolNames.ts'

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

/**
 * Parses a rule: `Tool` or `Tool(specifier)`, with any character inside the outer parentheses. Unpaired parentheses are
 * written `\(` and `\)`. Never throws; a rule that can never match has a `problem`.
 */
export function parseRule(text: string, list: Behavior, extraTools: readonly string[] = []): ParsedRule {
  const parts = splitRule(text)
  if ('message' in parts) return failed(text.trim(), parts)
  const { name, specifier } = parts
  if (name.startsWith('mcp__')) return parseMcpRule(name, specifier, list)
  const tool = canonicalName(name)
  const unknown = extraTools.includes(name) ? undefined : problemOfName(name)
  if (unknown) return failed(tool, unknown)
  if (specifier === undefined) return { tool, target: { kind: 'bare' } }
  if (specifier.trim() === '') return failed(tool, problem('form', `${name}() is empty and matches nothing`, name))
  const target = parseSpecifier(tool, specifier, list)
  if ('message' in target) return failed(tool, target)
  const stray = extraTools.includes(name) ? undefined : problemOfParameter(tool, target)
  return stray ? failed(tool, stray) : { tool, target }
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
  return problem('form', `${tool} has no parameter ${quoted(target.name)}; ${has}`, edit)
}

function failed(tool: string, problem: RuleProblem): ParsedRule {
  return { tool, target: { kind: 'nothing' }, problem }
}

function problemOfName(name: string): RuleProblem | undefined {
  const knowledge = toolKnowledge(name)
  if (knowledge === 'known') return undefined
  if (knowledge === 'absent') return problem('absent', `there is no tool ${name} here; the rule has no effect`)
  if (/^mcp_/i.test(name)) {
    const edit = /^mcp__./i.test(name) ? `mcp__${name.slice(5)}` : undefined
    return problem('unknown', 'an MCP tool is written `mcp__server__tool`', edit)
  }
  if (name.includes('*')) return problem('form', `${quoted(name)}: tool names take no \`*\`, except \`mcp__server__*\``)
  const near = didYouMean(name, allToolNames())
  // No tool name begins with a small letter, but program names do.
  const edit = near === '' && /^[a-z]/.test(name) ? `Bash(${name} *)` : undefined
  return problem('unknown', `unknown tool ${quoted(name)}${near}`, edit)
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
      return 'error' in pattern
        ? problem('form', pattern.error, pattern.edit)
        : { kind: 'domain', pattern: pattern.host }
    }
    case 'name':
      return parseName(tool, specifier, list)
    case 'none':
      return parseOther(tool, specifier, list)
  }
}

function parseCommand(specifier: string, list: Behavior): RuleTarget | RuleProblem {
  const parameter = parseParameter(specifier)
  if (parameter && BASH_PARAMETERS.has(parameter.name)) return onlyAgainst(list, 'Bash', parameter)
  const pattern = parseCommandPattern(specifier)
  if ('error' in pattern)
    return problem('form', pattern.error, pattern.edits?.map((text) => `Bash(${text})`).join(' and '))
  return pattern.kind === 'any' ? { kind: 'bare' } : { kind: 'command', pattern: specifier }
}

function parsePath(tool: string, specifier: string): RuleTarget | RuleProblem {
  const message = problemOfPathPattern(specifier)
  if (message !== undefined) return problem('form', message)
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
    const does = family === 'Read' ? 'reads' : 'writes'
    const message = `${tool} takes no path of its own: ${family} rules cover every tool that ${does}`
    return problem('family', message, `${family}(${specifier})`)
  }
  if (specifier.trim() === '*') return { kind: 'bare' }
  const parameter = parseParameter(specifier)
  if (parameter) return onlyAgainst(list, tool, parameter)
  return problem('form', `${tool} takes no specifier`, tool)
}

type ParameterTarget = Extract<RuleTarget, { kind: 'parameter' }>

function parseParameter(specifier: string): ParameterTarget | undefined {
  const found = /^([A-Za-z_]\w*):(.+)/s.exec(specifier)
  return found ? { kind: 'parameter', name: found[1] ?? '', pattern: found[2] ?? '' } : undefined
}

function onlyAgainst(list: Behavior, tool: string, target: ParameterTarget): RuleTarget | RuleProblem {
  if (list !== 'allow') return target
  return problem('form', `${tool}(${target.name}:…) can only deny or ask; an allow must know the whole call`)
}

function parseMcpRule(name: string, specifier: string | undefined, list: Behavior): ParsedRule {
  const [, server = '', tool = '*'] = /^mcp__(.*?)(?:__(.*))?$/s.exec(name) ?? []
  const fail = (message: string, edit?: string) => failed(name, problem('form', message, edit))
  if (server === '' || tool === '') return fail(`${quoted(name)} names no ${server === '' ? 'server' : 'tool'}`)
  if (list === 'allow' && server.includes('*')) return fail('an allow names its server in full: `mcp__server__*`')
  if (specifier === undefined) return { tool: name, target: { kind: 'mcp', server, tool } }
  const parameter = parseParameter(specifier)
  if (!parameter) return fail(`${name} takes only a specifier of the form parameter:value`, name)
  const target = onlyAgainst(list, name, parameter)
  return 'message' in target ? failed(name, target) : { tool: `mcp__${server}__${tool}`, target }
}
