import type { Attributes, Context, Meter, Span, SpanContext, Tracer } from '../../../src/report/telemetry/sdkTypes.ts'

/** Stands for OpenTelemetry's SDK: each span in a line of its tree, each measured value in a line. */
export function recordSpans() {
  type Node = { readonly name: string; readonly facts: string[]; readonly below: Node[] }
  const nodes = new Map<Span | SpanContext, Node>()
  const parents = new Map<Context, Node>()
  const top: Node = { name: '', facts: [], below: [] }
  const measured: string[] = []
  const time = (at: Date | undefined) => (at === undefined ? 'at once' : at.toISOString().slice(11, 23))
  const tracer: Tracer = {
    startSpan: (name, { startTime, kind, attributes }, context) => {
      const node: Node = {
        name: `${name.toWellFormed().replaceAll('\0', '␀')} (${kind ?? 'root'}) from ${time(startTime)}`,
        facts: [],
        below: [],
      }
      const add = (more: Attributes) =>
        node.facts.push(...Object.entries(more).map(([key, value]) => `${key}=${JSON.stringify(value)}`))
      add(attributes)
      ;(parents.get(context) ?? top).below.push(node)
      const span: Span = {
        setAttribute: (key, value) => add({ [key]: value }),
        setAttributes: add,
        setStatus: ({ code }) => void node.facts.push(`status ${code}`),
        spanContext: () => ({ traceId: 'a'.repeat(32), spanId: '1'.repeat(16), traceFlags: 1 }),
        end: (at) => void node.facts.unshift(`to ${time(at)}`),
      }
      nodes.set(span, node)
      return span
    },
  }
  const meter: Meter = {
    createHistogram: (name, options) => {
      measured.push(`${name} ${JSON.stringify(options)}`)
      return { record: (value, attributes) => measured.push(`${name} ${value} ${JSON.stringify(attributes)}`) }
    },
    createCounter: (name, options) => {
      measured.push(`${name} ${JSON.stringify(options)}`)
      return { add: (value, attributes) => measured.push(`${name} +${value} ${JSON.stringify(attributes)}`) }
    },
  }
  const below = (_: Context, span: Span | SpanContext): Context => {
    const context = {}
    const node = nodes.get(span) ?? { name: `the caller ${JSON.stringify(span)}`, facts: [], below: [] }
    if (!nodes.has(span)) top.below.push(node)
    parents.set(context, node)
    return context
  }
  const api = {
    ROOT_CONTEXT: {},
    SpanKind: { CLIENT: 2, INTERNAL: 0 },
    SpanStatusCode: { ERROR: 2 },
    trace: { setSpan: below, setSpanContext: below },
    createTraceState: (text: string) => `state ${text}`,
  }
  const linesOf = ({ name, facts, below }: Node, inset: string): string[] => [
    `${inset}${name}`,
    ...facts.map((fact) => `${inset}    ${fact}`),
    ...below.flatMap((node) => linesOf(node, `${inset}  `)),
  ]
  return { means: { api, tracer, meter }, told: () => [...top.below.flatMap((node) => linesOf(node, '')), ...measured] }
}
