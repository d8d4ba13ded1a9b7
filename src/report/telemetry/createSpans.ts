import type { StatusEvent, ToolOutcome, TranscriptRecord } from '../../contracts/events.ts'
import { addUsage, inputTokensOf, NO_USAGE, OWN_MODEL, textsOf, type Usage } from '../../contracts/messages.ts'
import type { Api, Attributes, Meter, Span, Tracer } from './sdkTypes.ts'

type Means = {
  readonly api: Api
  readonly tracer: Tracer | undefined
  readonly meter: Meter | undefined
  readonly hasContent: boolean
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly provider: string
}

/** Names of the GenAI semantic conventions; others are ours. */
const PROVIDERS: Readonly<Record<string, string>> = { bedrock: 'aws.bedrock', vertex: 'gcp.vertex_ai' }

/** Recommended by the conventions. */
const TOKEN_BUCKETS = Array.from({ length: 14 }, (_, power) => 4 ** power)
const SECOND_BUCKETS = Array.from({ length: 14 }, (_, power) => 0.01 * 2 ** power)

/**
 * The records of a run as spans and metrics: `invoke_agent` for the run, below it `chat` for each answer and
 * `execute_tool` for each call. What a sub-agent does lies below an `invoke_agent` of its own, below its call. Names are those of
 * https://opentelemetry.io/docs/specs/semconv/gen-ai/. A `chat` starts where the conversation's record before it was written.
 */
export function createSpans({ api, tracer, meter, hasContent, environment, provider }: Means) {
  const common = { 'gen_ai.provider.name': PROVIDERS[provider] ?? 'anthropic' }
  const tokens = meter?.createHistogram('gen_ai.client.token.usage', histogram('{token}', TOKEN_BUCKETS))
  const durations = meter?.createHistogram('gen_ai.client.operation.duration', histogram('s', SECOND_BUCKETS))
  const cost = meter?.createCounter('kode_run.cost', { unit: '{USD}' })
  const denials = meter?.createCounter('kode_run.denials', { unit: '{call}' })
  const undone = meter?.createCounter('kode_run.changes.undone', { unit: '{file}' })

  const carried = parentOf(environment)
  const outer = carried ? api.trace.setSpanContext(api.ROOT_CONTEXT, carried(api)) : api.ROOT_CONTEXT
  const named = { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'kode-run' }
  const root = tracer?.startSpan('invoke_agent kode-run', { attributes: { ...common, ...named } }, outer)
  const calls = new Map<string, { readonly span: Span | undefined; readonly name: string }>()
  /** The agents at work, by the call that started each. */
  const agents = new Map<string, Span | undefined>()
  const lastAt = new Map<string, Date>()
  let model = ''
  let isOpen = true

  const start = (
    name: string,
    owner: string | null,
    startTime: Date,
    kind: number,
    attributes: Attributes,
  ): Span | undefined => {
    const above = (owner === null ? undefined : (agents.get(owner) ?? calls.get(owner)?.span)) ?? root
    if (above === undefined) return undefined
    return tracer?.startSpan(
      name,
      { startTime, kind, attributes: { ...common, ...attributes } },
      api.trace.setSpan(outer, above),
    )
  }
  const finish = (span: Span | undefined, at: Date, fault?: string) => {
    if (fault !== undefined) {
      span?.setAttribute('error.type', fault)
      span?.setStatus({ code: api.SpanStatusCode.ERROR })
    }
    span?.end(at)
  }

  const chat = (owner: string | null, at: Date, asked: string, usage: Usage, more: Attributes, fault?: string) => {
    const since = lastAt.get(owner ?? '') ?? at
    const names = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': asked }
    const input = inputTokensOf(usage)
    const counts = {
      'gen_ai.usage.input_tokens': input,
      'gen_ai.usage.output_tokens': usage.output_tokens,
      'gen_ai.usage.cache_read.input_tokens': usage.cache_read_input_tokens,
      'gen_ai.usage.cache_creation.input_tokens': usage.cache_creation_input_tokens,
    }
    finish(start(`chat ${asked}`, owner, since, api.SpanKind.CLIENT, { ...names, ...counts, ...more }), at, fault)
    const labels = { ...common, ...names }
    tokens?.record(input, { ...labels, 'gen_ai.token.type': 'input' })
    tokens?.record(usage.output_tokens, { ...labels, 'gen_ai.token.type': 'output' })
    durations?.record((at.getTime() - since.getTime()) / 1000, { ...labels, ...errorType(fault) })
  }

  const call = (owner: string | null, id: string, name: string, at: Date, input?: unknown) => {
    const span = start(`execute_tool ${name}`, owner, at, api.SpanKind.INTERNAL, {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': name,
      'gen_ai.tool.call.id': id,
      'gen_ai.tool.type': 'function',
      ...(hasContent && input !== undefined ? { 'gen_ai.tool.call.arguments': JSON.stringify(input) } : {}),
    })
    calls.set(id, { span, name })
    return span
  }

  const outcome = (owner: string | null, at: Date, done: ToolOutcome, result?: unknown) => {
    const { tool_use_id: id, tool_name: name, duration_ms } = done
    const span = calls.get(id)?.span ?? call(owner, id, name, new Date(at.getTime() - duration_ms))
    const fault = done.outcome === 'ok' ? undefined : done.outcome
    if (hasContent && result !== undefined) span?.setAttribute('gen_ai.tool.call.result', JSON.stringify(result))
    finish(span, at, fault)
    calls.delete(id)
    const labels = { ...common, 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': name }
    durations?.record(duration_ms / 1000, { ...labels, ...errorType(fault) })
  }

  const agent = (owner: string, at: Date, { status, detail }: StatusEvent) => {
    const [, name = '', id = '', reason] = /^(.*) \((\w+)\)(?:: (\w+))?$/s.exec(detail) ?? []
    if (status === 'agent_started') {
      const names = { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': name, 'gen_ai.agent.id': id }
      agents.set(owner, start(`invoke_agent ${name}`, owner, at, api.SpanKind.INTERNAL, names))
    }
    if (status !== 'agent_ended') return
    finish(agents.get(owner), at, reason === 'completed' ? undefined : reason)
    agents.delete(owner)
  }

  const event = (record: TranscriptRecord): void => {
    if (record.type === 'stream_event') return
    const at = new Date(record.ts)
    const owner = 'parent_tool_use_id' in record ? record.parent_tool_use_id : null
    if (record.type === 'assistant' && record.message.model !== OWN_MODEL) {
      const { message } = record
      chat(owner, at, message.model || model, message.usage, {
        'gen_ai.response.model': message.model,
        'gen_ai.response.id': message.id,
        ...(message.stop_reason === null ? {} : { 'gen_ai.response.finish_reasons': [message.stop_reason] }),
        ...(hasContent ? { 'gen_ai.output.messages': messageText('assistant', textsOf(message.content)) } : {}),
      })
    }
    if (record.type === 'user') {
      const results = record.message.content.filter((item) => item.type === 'tool_result')
      for (const done of record.tool_use_result ?? [])
        outcome(owner, at, done, results.find((item) => item.tool_use_id === done.tool_use_id)?.content)
    }
    if (record.type === 'assistant' || record.type === 'user') lastAt.set(owner ?? '', at)
    if (record.type === 'result') {
      const used = Object.values(record.modelUsage).reduce<Usage>(addUsage, NO_USAGE)
      root?.setAttributes({
        'gen_ai.usage.input_tokens': inputTokensOf(used),
        'gen_ai.usage.output_tokens': used.output_tokens,
        'kode_run.exit_code': record.exit_code,
        'kode_run.exit_reason': record.exit_reason,
        ...(record.total_cost_usd === null ? {} : { 'kode_run.cost_usd': record.total_cost_usd }),
        ...(hasContent ? { 'gen_ai.output.messages': messageText('assistant', [record.result]) } : {}),
      })
      for (const [name, { cost_usd }] of Object.entries(record.modelUsage))
        cost?.add(cost_usd ?? 0, { ...common, 'gen_ai.request.model': name })
      const fault = record.exit_code === 0 ? undefined : record.exit_reason
      const labels = { ...common, 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.request.model': model }
      durations?.record(record.duration_ms / 1000, { ...labels, ...errorType(fault) })
      end(at, fault)
    }
    if (record.type !== 'system') return
    if (record.subtype === 'init') {
      model = record.model
      root?.setAttributes({
        'gen_ai.request.model': model,
        'gen_ai.agent.version': record.version,
        'gen_ai.conversation.id': record.session_id,
        'kode_run.run': record.run,
        ...(hasContent ? { 'gen_ai.input.messages': messageText('user', [record.prompt]) } : {}),
      })
      lastAt.set('', at)
    }
    if (record.subtype === 'tool_intent') {
      call(owner, record.tool_use_id, record.tool_name, at, record.tool_input)
      // The first request of a sub-agent starts with its call.
      lastAt.set(record.tool_use_id, at)
    }
    if (record.subtype === 'status' && owner !== null) agent(owner, at, record)
    if (record.subtype === 'model_call') {
      chat(owner, at, record.model, record.usage, {
        'kode_run.purpose': record.purpose,
        ...(hasContent && {
          'gen_ai.input.messages': messageText('user', [record.prompt]),
          'gen_ai.output.messages': messageText('assistant', [record.answer]),
        }),
      })
    }
    if (record.subtype === 'turn_discarded') {
      for (const done of record.early) outcome(owner, at, done)
      if (record.message_id === undefined)
        chat(owner, at, record.spent?.model ?? model, record.spent?.usage ?? NO_USAGE, {}, 'turn_discarded')
      lastAt.set(owner ?? '', at)
    }
    if (record.subtype === 'permission_denied') denials?.add(1, { 'gen_ai.tool.name': record.tool_name })
    if (record.subtype === 'effects' && record.undone.length + record.left_out.length > 0)
      undone?.add(record.undone.length + record.left_out.length, { 'gen_ai.tool.name': record.tool_name })
  }

  function end(at: Date, fault: string | undefined): void {
    if (!isOpen) return
    isOpen = false
    for (const span of [...agents.values(), ...[...calls.values()].map((open) => open.span)])
      finish(span, at, 'aborted')
    finish(root, at, fault)
  }

  return {
    event,
    /** Ends what is still open. */
    close: () => end(new Date(), 'aborted'),
    environment: root === undefined ? {} : childVariables(root, environment),
  }
}

function histogram(unit: string, explicitBucketBoundaries: readonly number[]) {
  return { unit, advice: { explicitBucketBoundaries } }
}

function errorType(fault: string | undefined): Attributes {
  return fault === undefined ? {} : { 'error.type': fault }
}

/** The caller's span, by `TRACEPARENT` and `TRACESTATE` of W3C Trace Context. */
function parentOf({ TRACEPARENT = '', TRACESTATE }: Means['environment']) {
  const found = /^[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})/.exec(TRACEPARENT)
  if (found === null || TRACEPARENT.startsWith('ff')) return undefined
  const [, traceId = '', spanId = '', flags = '00'] = found
  return (api: Api) => ({
    ...{ traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true },
    ...(TRACESTATE ? { traceState: api.createTraceState(TRACESTATE) } : {}),
  })
}

function childVariables(root: Span, { TRACESTATE }: Means['environment']): Record<string, string> {
  const { traceId, spanId, traceFlags } = root.spanContext()
  const TRACEPARENT = `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`
  return { TRACEPARENT, ...(TRACESTATE ? { TRACESTATE } : {}) }
}

/** Messages in the JSON form of the conventions. */
function messageText(role: string, texts: readonly string[]): string {
  return JSON.stringify([{ role, parts: texts.map((content) => ({ type: 'text', content })) }])
}
