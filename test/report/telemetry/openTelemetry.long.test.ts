import { rmSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { text as readText } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { listenHere } from '../../helpers/listenHere.ts'
import { startMessagesServer } from '../../helpers/model/messagesServer.ts'
import { agent, calls, playAgents, say } from '../../helpers/runs/agentRuns.ts'
import { type CliRun, runCli } from '../../helpers/runs/cliRun.ts'
import { installPackages } from '../../helpers/runs/npmPackages.ts'

const WHOLE = ['api@1.9', 'resources@2', 'sdk-trace-base@2', 'sdk-metrics@2'].map((name) => `@opentelemetry/${name}`)
const EXPORTERS = ['trace', 'metrics'].map((name) => `@opentelemetry/exporter-${name}-otlp-http@0.223`)

let folder: string | undefined

beforeAll(() => {
  folder = installPackages({ whole: [...WHOLE, ...EXPORTERS] })
})
afterAll(() => {
  if (folder !== undefined) rmSync(folder, { recursive: true })
})

type Value = { readonly stringValue?: string; readonly intValue?: number; readonly arrayValue?: unknown }
type Attribute = { readonly key: string; readonly value: Value }
type Span = {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly attributes: readonly Attribute[]
  readonly status: { readonly code?: number }
}
type Points = { readonly dataPoints: readonly { readonly attributes: readonly Attribute[]; readonly sum?: number }[] }
type Metric = { readonly name: string; readonly histogram?: Points; readonly sum?: Points }
type Post = { readonly path: string; readonly headers: IncomingMessage['headers']; readonly text: string }

/** A collector of OTLP/HTTP as JSON. `mute`: it takes requests and never answers. */
async function startCollector({ mute = false } = {}) {
  const posts: Post[] = []
  const server = createServer(async (request, response) => {
    posts.push({ path: request.url ?? '', headers: request.headers, text: await readText(request) })
    if (!mute) response.setHeader('content-type', 'application/json').end('{}')
  })
  const url = await listenHere(server)
  // biome-ignore lint/suspicious/noExplicitAny: foreign JSON
  const bodies = (path: string): any[] => posts.filter((post) => post.path === path).map(({ text }) => JSON.parse(text))
  return {
    ...{ posts, url, close: () => server.close() },
    spans: (): Span[] =>
      bodies('/v1/traces')
        .flatMap(({ resourceSpans }) => resourceSpans)
        .flatMap(({ scopeSpans }) => scopeSpans)
        .flatMap(({ spans }) => spans),
    metrics: (): Metric[] =>
      bodies('/v1/metrics')
        .flatMap(({ resourceMetrics }) => resourceMetrics)
        .flatMap(({ scopeMetrics }) => scopeMetrics)
        .flatMap(({ metrics }) => metrics),
  }
}

const SECRET = 'ghp_0123456789abcdefghijABCDEFGHIJ012345'
const POLICY =
  'version: 1\nsandbox: { mode: off }\npermissions: { allow: [Read, "Bash(printenv TRACEPARENT)"], deny: ["Read(b)"] }\n'

/** A run that prints its trace, reads a file, is denied another, and says a secret. */
async function play(env: Readonly<Record<string, string>>): Promise<CliRun> {
  const turns = [
    { tools: [{ name: 'Bash', input: { command: 'printenv TRACEPARENT', description: 'see' } }] },
    { tools: [{ name: 'Read', input: { file_path: 'a' } }] },
    { tools: [{ name: 'Read', input: { file_path: 'b' } }] },
    { say: `the words ${SECRET}` },
  ]
  let next = 0
  const server = await startMessagesServer(() => ({ turn: turns[next++] ?? { say: 'done' } }))
  onTestFinished(() => server.close())
  return runCli([`the task ${SECRET}`], {
    ...{ server, policy: POLICY, files: { a: 'words of the file\n', b: 'bbb\n' }, isProcess: true },
    env: { ...env, MY_TOKEN: SECRET },
  })
}

const withPackages = (url: string) => ({
  NODE_PATH: join(folder ?? '', 'node_modules'),
  OTEL_EXPORTER_OTLP_ENDPOINT: url,
  OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
})

const valuesOf = (attributes: readonly Attribute[]): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

const said = ({ stderr }: CliRun) => stderr.split('\n').filter((line) => line.includes('Telemetry'))

it('sends the tree of spans below the caller, and metrics, without content', async ({ skip }) => {
  if (folder === undefined) skip('no registry answers')
  const collector = await startCollector()
  const trace = 'c'.repeat(32)
  const run = await play({
    ...withPackages(collector.url),
    OTEL_SERVICE_NAME: 'nightly',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment=ci%20one',
    OTEL_EXPORTER_OTLP_HEADERS: 'x-team=blue',
    TRACEPARENT: `00-${trace}-${'b'.repeat(16)}-01`,
  })
  expect(said(run)).toEqual([])
  const spans = collector.spans()
  const root = spans.find(({ name }) => name === 'invoke_agent kode-run')
  expect(root).toMatchObject({ traceId: trace, parentSpanId: 'b'.repeat(16) })
  const below = spans.filter((span) => span !== root)
  for (const span of below) expect(span).toMatchObject({ traceId: trace, parentSpanId: root?.spanId })
  const answers = run.records.filter(({ type }) => type === 'assistant')
  expect(below.map(({ name }) => name.split(' ')[0]).sort()).toEqual([
    ...answers.map(() => 'chat'),
    ...['execute_tool', 'execute_tool', 'execute_tool'],
  ])
  expect(answers.length).toBeGreaterThanOrEqual(4)
  expect(run.toolResults()[0]).toContain(`00-${trace}-${root?.spanId}-01`)

  const reads = below.filter(({ name }) => name === 'execute_tool Read').map((span) => valuesOf(span.attributes))
  expect(reads.map((read) => read['error.type'])).toEqual([undefined, 'denied'])
  const chat = valuesOf(below.find(({ name }) => name.startsWith('chat'))?.attributes ?? [])
  const first = run.records.find((record) => record.type === 'assistant')
  expect(chat).toMatchObject({
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'anthropic',
    'gen_ai.response.id': first?.type === 'assistant' ? first.message.id : '',
    'gen_ai.usage.output_tokens': first?.type === 'assistant' ? first.message.usage.output_tokens : -1,
  })
  expect(valuesOf(root?.attributes ?? [])).toMatchObject({
    'kode_run.exit_code': run.code,
    'kode_run.exit_reason': run.result().exit_reason,
  })

  const metrics = collector.metrics()
  const points = metrics.find(({ name }) => name === 'gen_ai.client.token.usage')?.histogram?.dataPoints ?? []
  const output = points.find((point) => valuesOf(point.attributes)['gen_ai.token.type'] === 'output')
  const answered = run.records.flatMap((record) =>
    record.type === 'assistant' ? [record.message.usage.output_tokens] : [],
  )
  expect(output?.sum).toBe(answered.reduce((sum, count) => sum + count, 0))
  expect(metrics.find(({ name }) => name === 'kode_run.denials')?.sum?.dataPoints[0]).toMatchObject({ asDouble: 1 })

  const all = collector.posts.map(({ text }) => text).join('\n')
  for (const absent of ['the task', 'the words', 'words of the file', 'printenv', SECRET])
    expect(all).not.toContain(absent)
  expect(all).toContain('nightly')
  expect(all).toContain('ci one')
  for (const { headers } of collector.posts) expect(headers['x-team']).toBe('blue')
})

it('puts what a sub-agent does below a span of its own, also in the background', async ({ skip }) => {
  if (folder === undefined) skip('no registry answers')
  const collector = await startCollector()
  const helper = { description: 'helps', prompt: 'You are HELPER.', tools: ['LS'] }
  const { run } = await playAgents(
    {
      HELPER: [calls({ name: 'LS', input: { path: '.' } }), say('seen')],
      main: [calls(agent('helper', 'look')), calls(agent('helper', 'look', { run_in_background: true }))],
    },
    {
      ...{ policy: 'version: 1\nsandbox: { mode: off }\npermissions: { allow: [Read, Agent] }\n', isProcess: true },
      ...{ args: ['--agents', JSON.stringify({ helper })], env: withPackages(collector.url) },
    },
  )
  expect([run.code, said(run)], run.stderr).toEqual([0, []])
  const spans = collector.spans()
  const above = (span: Span | undefined) => spans.find(({ spanId }) => spanId === span?.parentSpanId)
  const agents = spans.filter(({ name }) => name === 'invoke_agent helper')
  expect(agents).toHaveLength(2)
  for (const span of agents) {
    expect(valuesOf(span.attributes)).toMatchObject({ 'gen_ai.agent.id': expect.stringMatching(/^agent_/) })
    expect([above(span)?.name, above(above(span))?.name]).toEqual(['execute_tool Agent', 'invoke_agent kode-run'])
    const below = spans.filter(({ parentSpanId }) => parentSpanId === span.spanId).map(({ name }) => name.split(' ')[0])
    expect(below.sort()).toEqual(['chat', 'chat', 'execute_tool'])
  }
})

it('sends redacted content if asked', async ({ skip }) => {
  if (folder === undefined) skip('no registry answers')
  const collector = await startCollector()
  await play({ ...withPackages(collector.url), OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'true' })
  const all = collector.posts.map(({ text }) => text).join('\n')
  for (const present of ['the task', 'the words', 'words of the file', 'printenv']) expect(all).toContain(present)
  expect(all).not.toContain(SECRET)
})

it('a collector that is dead or silent is one warning', async ({ skip }) => {
  if (folder === undefined) skip('no registry answers')
  const plain = await play({ OTEL_TRACES_EXPORTER: 'none', OTEL_METRICS_EXPORTER: 'none' })
  expect(said(plain)).toEqual([])
  const dead = await startCollector()
  dead.close()
  const mute = await startCollector({ mute: true })
  for (const { url } of [dead, mute]) {
    const run = await play({ ...withPackages(url), OTEL_EXPORTER_OTLP_TIMEOUT: '500' })
    expect(run.code).toBe(plain.code)
    expect(said(run)).toEqual([expect.stringContaining(`did not reach ${new URL(url).host}`)])
  }
})

it('a missing package is one warning that names the set', async () => {
  const run = await play({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' })
  expect(run.result().exit_code).toBe(run.code)
  expect(said(run)).toEqual([expect.stringMatching(/is not sent: .*npm install -g @opentelemetry\/api@1 /)])
})
