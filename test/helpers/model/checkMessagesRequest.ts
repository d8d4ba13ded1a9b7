import { checkToolForms } from './checkToolForms.ts'
import type { RecordedRequest } from './messagesServer.ts'

const MAX_BYTES = 32 * 1024 * 1024
const AUTH_HEADERS = ['authorization', 'x-api-key']

// biome-ignore lint/suspicious/noExplicitAny: foreign JSON, looked at field by field
type Json = any

/** What the Messages API would refuse in a request, one sentence each; empty for a good one. */
export function checkMessagesRequest(request: RecordedRequest, canaries: readonly string[]): string[] {
  const problems = [...checkEnvelope(request), ...checkCanaries(request, canaries)]
  if (request.body === undefined) problems.push('the body is not JSON')
  else problems.push(...checkBody(request.body), ...checkStrings(request.body))
  return problems.map((problem) => `request ${request.index + 1}: ${problem}`)
}

function checkEnvelope(request: RecordedRequest): string[] {
  const problems: string[] = []
  const path = request.path.split('?')[0]
  if (request.method !== 'POST' || path !== '/v1/messages') problems.push(`${request.method} ${request.path}`)
  if (request.headers['anthropic-version'] === undefined) problems.push('no anthropic-version header')
  if (AUTH_HEADERS.every((name) => request.headers[name] === undefined)) problems.push('no credential')
  if (Buffer.byteLength(request.text) > MAX_BYTES) problems.push('the body is over 32 MiB')
  return problems
}

function checkCanaries(request: RecordedRequest, canaries: readonly string[]): string[] {
  const headers = Object.entries(request.headers).filter(([name]) => !AUTH_HEADERS.includes(name))
  const seen = [request.path, request.text, JSON.stringify(headers)].join('\n')
  return canaries.filter((canary) => seen.includes(canary)).map((canary) => `a secret (…${canary.slice(-4)}) is in it`)
}

function checkBody(body: Json): string[] {
  const problems: string[] = []
  if (typeof body.model !== 'string' || body.model === '') problems.push('no model')
  if (!Number.isInteger(body.max_tokens) || body.max_tokens < 1) problems.push(`max_tokens is ${body.max_tokens}`)
  for (const key of ['temperature', 'top_p', 'top_k']) if (key in body) problems.push(`${key} is gone from the API`)
  problems.push(...checkTools(body.tools ?? []), ...checkToolForms(body), ...checkMarks(body), ...checkThinking(body))
  if (!Array.isArray(body.messages) || body.messages.length === 0) return [...problems, 'no messages']
  return [...problems, ...checkSystem(body.system), ...checkMessages(body.messages)]
}

/** A budget leaves room for an answer, and no thought comes back that is not signed. */
function checkThinking({ model, thinking, max_tokens: most, messages }: Json): string[] {
  const problems: string[] = []
  const isFixed = thinking?.type === 'disabled' || thinking?.type === 'enabled'
  if (isFixed && /claude-(?:(?:opus|sonnet)-5-5|fable|mythos)/.test(model))
    problems.push(`${thinking.type} thinking, which ${model} does not take`)
  const budget = thinking?.budget_tokens
  if (thinking?.type === 'enabled' && !(budget >= 1024 && budget < most))
    problems.push(`a thinking budget of ${budget}`)
  if (thinking !== undefined && thinking.type !== 'enabled' && budget !== undefined)
    problems.push(`a budget for ${thinking.type} thinking`)
  const blocks: Json[] = (Array.isArray(messages) ? messages : []).flatMap((message: Json) => message.content)
  if (blocks.some((block) => block.type === 'thinking' && !block.signature))
    problems.push('a thought without signature')
  return problems
}

function checkSystem(system: Json): string[] {
  const blocks = typeof system === 'string' ? [{ type: 'text', text: system }] : (system ?? [])
  return blocks.some((block: Json) => isBlank(block.text)) ? ['an empty system block'] : []
}

function checkTools(tools: Json[]): string[] {
  const problems: string[] = []
  const names = new Set<string>()
  for (const tool of tools) {
    if (names.has(tool.name)) problems.push(`two tools are named ${tool.name}`)
    names.add(tool.name)
    if (tool.type !== undefined && tool.type !== 'custom') continue
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(tool.name)) problems.push(`tool name ${JSON.stringify(tool.name)}`)
    if (tool.input_schema?.type !== 'object') problems.push(`tool ${tool.name}: input_schema is not of type object`)
    for (const key of ['$ref', 'anyOf', 'oneOf', 'allOf']) {
      if (key in (tool.input_schema ?? {})) problems.push(`tool ${tool.name}: ${key} at the top of input_schema`)
    }
  }
  return problems
}

/** The API takes four `cache_control` marks, none on thinking. */
function checkMarks(body: Json): string[] {
  const blocks: Json[] = [
    ...(body.tools ?? []),
    ...(Array.isArray(body.system) ? body.system : []),
    ...(body.messages ?? []).flatMap((message: Json) => (Array.isArray(message.content) ? message.content : [])),
  ]
  const marked = blocks.filter((block) => block.cache_control !== undefined)
  const problems = marked.length > 4 ? [`${marked.length} cache_control marks`] : []
  if (marked.some((block) => block.type === 'thinking' || block.type === 'redacted_thinking')) {
    problems.push('a cache_control mark on a thinking block')
  }
  return problems
}

function checkMessages(messages: Json[]): string[] {
  const problems: string[] = []
  const ids = new Set<string>()
  if (messages[0].role !== 'user') problems.push('the first message is not of the user')
  for (const [index, message] of messages.entries()) {
    const where = `messages[${index}]`
    const before = messages[index - 1]
    if (message.role !== 'user' && message.role !== 'assistant') problems.push(`${where}: role ${message.role}`)
    if (before?.role === message.role) problems.push(`${where}: two ${message.role} messages in a row`)
    const blocks = blocksOf(message)
    if (blocks.length === 0) problems.push(`${where}: no content`)
    for (const block of blocks) problems.push(...checkBlock(block, message.role).map((text) => `${where}: ${text}`))
    for (const use of usesOf(message)) {
      if (ids.has(use.id)) problems.push(`${where}: tool_use id ${use.id} twice`)
      ids.add(use.id)
    }
    problems.push(...checkPairs(message, before, index === messages.length - 1).map((text) => `${where}: ${text}`))
  }
  return problems
}

function checkBlock(block: Json, role: string): string[] {
  const problems: string[] = []
  if (block.type === 'text' && isBlank(block.text)) problems.push('an empty text block')
  if (block.type === 'tool_use') {
    if (role !== 'assistant') problems.push('a tool_use of the user')
    if (!/^[A-Za-z0-9_-]+$/.test(block.id)) problems.push(`tool_use id ${JSON.stringify(block.id)}`)
    if (!/^[A-Za-z0-9_-]{1,128}$/.test(block.name)) problems.push(`tool_use name ${JSON.stringify(block.name)}`)
    if (typeof block.input !== 'object' || block.input === null || Array.isArray(block.input)) {
      problems.push('a tool_use input that is no object')
    }
  }
  if (block.type === 'tool_result') {
    if (role !== 'user') problems.push('a tool_result of the assistant')
    const parts = Array.isArray(block.content) ? block.content : []
    if (parts.some((part: Json) => part.type === 'text' && isBlank(part.text)))
      problems.push('an empty text in a tool_result')
  }
  if (block.type === 'image' && !block.source?.data) problems.push('an image without data')
  return problems
}

/** Every tool_use is answered once, in the very next message, and results come before other content there. */
function checkPairs(message: Json, before: Json, isLast: boolean): string[] {
  const problems: string[] = []
  const asked = usesOf(before).map((use) => use.id)
  const blocks = blocksOf(message)
  const answered = blocks.filter((block) => block.type === 'tool_result').map((block) => block.tool_use_id)
  for (const id of asked) if (!answered.includes(id)) problems.push(`tool_use ${id} has no tool_result`)
  for (const id of answered) if (!asked.includes(id)) problems.push(`tool_result ${id} has no tool_use`)
  if (new Set(answered).size !== answered.length) problems.push('two tool_results for one tool_use')
  const firstOther = blocks.findIndex((block) => block.type !== 'tool_result')
  if (firstOther !== -1 && blocks.slice(firstOther).some((block) => block.type === 'tool_result')) {
    problems.push('a tool_result after other content')
  }
  if (isLast && usesOf(message).length > 0) problems.push('the last message has an unanswered tool_use')
  return problems
}

function checkStrings(value: Json): string[] {
  if (typeof value === 'string') return /\p{Surrogate}/u.test(value) ? ['a lone surrogate'] : []
  if (Array.isArray(value)) return value.flatMap(checkStrings)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, part]) => [...checkStrings(key), ...checkStrings(part)])
}

function blocksOf(message: Json): Json[] {
  if (message === undefined) return []
  if (typeof message.content === 'string') return [{ type: 'text', text: message.content }]
  return message.content ?? []
}

function usesOf(message: Json): Json[] {
  return blocksOf(message).filter((block) => block.type === 'tool_use')
}

function isBlank(text: Json): boolean {
  return typeof text !== 'string' || text.trim() === ''
}
