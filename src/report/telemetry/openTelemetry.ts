import { messageOf, RunError } from '../../contracts/errors.ts'
import type { TranscriptRecord } from '../../contracts/events.ts'
import { loadPackage, type PackagePlaces } from '../../lib/fs/loadPackage.ts'
import { createSpans } from './createSpans.ts'
import type { Api, Exporter, Exporters, Measuring, Resources, Tracing } from './sdkTypes.ts'

export type Telemetry = {
  event(record: TranscriptRecord): void
  /** Sends what is left, for at most 2 s. */
  close(): Promise<void>
  /** `TRACEPARENT` and `TRACESTATE` for children: their spans lie below this run's. Empty if no spans are sent. */
  readonly environment: Readonly<Record<string, string>>
}

export type TelemetryOptions = PackagePlaces & {
  /** The name of the model's provider, as in the policy. */
  readonly provider: string
  /** Gets one line for the first fault. A fault never ends the run. */
  readonly warn: (text: string) => void
}

type Variables = PackagePlaces['environment']
type Signal = keyof typeof SIGNALS

/** By the word of its variables: the packages that a signal needs, and the class that sends it. */
const SIGNALS = {
  TRACES: { sdk: 'sdk-trace-base', exporter: 'exporter-trace-otlp', sender: 'OTLPTraceExporter' },
  METRICS: { sdk: 'sdk-metrics', exporter: 'exporter-metrics-otlp', sender: 'OTLPMetricExporter' },
} as const

/** How long the end of a run waits for the collector, in milliseconds. `OTEL_EXPORTER_OTLP_TIMEOUT` may lower it. */
const LONGEST_FLUSH = 2_000

/**
 * Spans and metrics over OTLP/HTTP, as the standard `OTEL_*` variables ask for it. `undefined` if they ask for nothing,
 * or if it cannot be sent; then `warn` got the reason. No provider is registered globally, so that libraries in this process
 * send nothing of their own. Variables: https://opentelemetry.io/docs/specs/otel/protocol/exporter/
 */
export function openTelemetry(options: TelemetryOptions): Telemetry | undefined {
  const { environment, warn } = options
  try {
    const urls = { TRACES: endpointOf(environment, 'TRACES'), METRICS: endpointOf(environment, 'METRICS') }
    return urls.TRACES === undefined && urls.METRICS === undefined ? undefined : open(urls, options)
  } catch (error) {
    warn(`Telemetry is not sent: ${messageOf(error)}\n`)
    return undefined
  }
}

function open(urls: Readonly<Record<Signal, string | undefined>>, options: TelemetryOptions): Telemetry {
  const { environment } = options
  const asked = Number(environment['OTEL_EXPORTER_OTLP_TIMEOUT'] || LONGEST_FLUSH)
  const bound = asked > 0 ? Math.min(asked, LONGEST_FLUSH) : LONGEST_FLUSH
  let fault: string | undefined
  const exporter = (signal: Signal, { exports }: { readonly exports: Exporters }): Exporter => {
    const { sender } = SIGNALS[signal]
    const Exporter = exports[sender]
    if (Exporter === undefined) throw new Error(`the package has no ${sender}`)
    const url = urls[signal]
    const made = new Exporter({ url, headers: headersOf(environment, signal), timeoutMillis: bound })
    const send = made.export.bind(made)
    made.export = (items, done) =>
      send(items, (result) => {
        if (result.code !== 0) fault ??= result.error?.message || 'the collector refused it'
        done(result)
      })
    return made
  }
  const { resources, tracing, measuring } = load(urls, options)
  const resource = resources.exports.resourceFromAttributes(resourceOf(environment))
  const tracer =
    tracing &&
    new tracing.sdk.exports.BasicTracerProvider({
      resource,
      spanProcessors: [new tracing.sdk.exports.BatchSpanProcessor(exporter('TRACES', tracing.exporter))],
    })
  const meter =
    measuring &&
    new measuring.sdk.exports.MeterProvider({
      resource,
      readers: [
        new measuring.sdk.exports.PeriodicExportingMetricReader({ exporter: exporter('METRICS', measuring.exporter) }),
      ],
    })
  const spans = createSpans({
    api: (tracing ?? measuring)?.sdk.require('@opentelemetry/api') as Api,
    tracer: tracer?.getTracer('kode-run'),
    meter: meter?.getMeter('kode-run'),
    hasContent: environment['OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT']?.toLowerCase() === 'true',
    ...{ environment, provider: options.provider },
  })
  return {
    environment: spans.environment,
    event: spans.event,
    async close() {
      spans.close()
      const sent = Promise.all([tracer, meter].map((provider) => provider?.shutdown()))
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(() => {
          fault ??= `no answer within ${bound} ms`
          resolve()
        }, bound + 100)
      })
      const failed = (error: unknown) => {
        fault ??= messageOf(error)
      }
      await Promise.race([sent.catch(failed), late])
      clearTimeout(timer)
      if (fault === undefined) return
      const places = [...new Set(Object.values(urls).flatMap((url) => (url === undefined ? [] : [new URL(url).host])))]
      options.warn(`Telemetry did not reach ${places.join(' and ')}, or not all of it: ${fault}\n`)
    },
  }
}

function load(urls: Readonly<Record<Signal, string | undefined>>, options: TelemetryOptions) {
  const { environment } = options
  const namesOf = (signal: Signal): readonly string[] => {
    const { sdk, exporter } = SIGNALS[signal]
    return urls[signal] === undefined ? [] : [sdk, `${exporter}-${kindOf(environment, signal)}`]
  }
  const names = ['resources', ...namesOf('TRACES'), ...namesOf('METRICS')]
  const get = <Exports>(name: string) => loadPackage<Exports>(`@opentelemetry/${name}`, 'OpenTelemetry', options)
  const pair = <Sdk>(signal: Signal) => {
    const [sdk, exporter] = namesOf(signal)
    if (sdk !== undefined && exporter !== undefined) return { sdk: get<Sdk>(sdk), exporter: get<Exporters>(exporter) }
    return undefined
  }
  try {
    return {
      resources: get<Resources>('resources'),
      tracing: pair<Tracing>('TRACES'),
      measuring: pair<Measuring>('METRICS'),
    }
  } catch (cause) {
    // Exporters from 0.300 need Node 22.15.
    const whole = ['api@1', ...names.map((name) => `${name}@${name.startsWith('exporter') ? '0.223' : '2'}`)]
    const set = whole.map((name) => `@opentelemetry/${name}`).join(' ')
    throw new RunError('config', `${messageOf(cause)}. The whole set: npm install -g ${set}`, { cause })
  }
}

/** The last word of the exporter's package. */
function kindOf(environment: Variables, signal: Signal): string {
  const protocol = setting(environment, signal, 'PROTOCOL') ?? 'http/protobuf'
  if (protocol === 'http/protobuf') return 'proto'
  if (protocol === 'http/json') return 'http'
  throw new RunError('config', `OTEL_EXPORTER_OTLP_PROTOCOL: ${protocol} is not known; use http/protobuf or http/json`)
}

function endpointOf(environment: Variables, signal: Signal): string | undefined {
  const exporter = environment[`OTEL_${signal}_EXPORTER`] || 'otlp'
  if (exporter === 'none') return undefined
  if (exporter !== 'otlp')
    throw new RunError('config', `OTEL_${signal}_EXPORTER: ${exporter} is not known; use otlp or none`)
  const own = environment[`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`]
  const isAsked = environment[`OTEL_${signal}_EXPORTER`] === 'otlp'
  const base = environment['OTEL_EXPORTER_OTLP_ENDPOINT'] || (isAsked ? 'http://localhost:4318' : undefined)
  const url = own || (base && `${base.replace(/\/$/, '')}/v1/${signal.toLowerCase()}`)
  if (!url) return undefined
  if (!/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : ''))
    throw new RunError('config', `${url} is no http address`)
  return url
}

function setting(environment: Variables, signal: Signal, name: string): string | undefined {
  return environment[`OTEL_EXPORTER_OTLP_${signal}_${name}`] || environment[`OTEL_EXPORTER_OTLP_${name}`] || undefined
}

function headersOf(environment: Variables, signal: Signal): Record<string, string> {
  const common = pairsOf(environment['OTEL_EXPORTER_OTLP_HEADERS'])
  return { ...common, ...pairsOf(environment[`OTEL_EXPORTER_OTLP_${signal}_HEADERS`]) }
}

function resourceOf(environment: Variables): Record<string, string> {
  const given = { 'service.name': 'kode-run', ...pairsOf(environment['OTEL_RESOURCE_ATTRIBUTES']) }
  const name = environment['OTEL_SERVICE_NAME']
  return name ? { ...given, 'service.name': name } : given
}

/** `a=1,b=x%20y` */
function pairsOf(text = ''): Record<string, string> {
  const pairs = text.split(',').flatMap((pair) => {
    const at = pair.indexOf('=')
    return at <= 0 ? [] : [[pair.slice(0, at).trim(), decodeURIComponent(pair.slice(at + 1).trim())]]
  })
  return Object.fromEntries(pairs)
}
