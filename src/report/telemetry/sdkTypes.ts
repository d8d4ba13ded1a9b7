/** What is used of OpenTelemetry, whose packages are optional: without them there are no types of theirs. */
export type Attributes = Readonly<Record<string, string | number | readonly string[] | undefined>>
export type Context = { readonly isContext?: never }
export type SpanContext = { readonly traceId: string; readonly spanId: string; readonly traceFlags: number }
export type Span = {
  setAttribute(name: string, value: string): void
  setAttributes(attributes: Attributes): void
  setStatus(status: { readonly code: number }): void
  spanContext(): SpanContext
  end(at: Date): void
}
export type Api = {
  readonly ROOT_CONTEXT: Context
  readonly SpanKind: { readonly CLIENT: number; readonly INTERNAL: number }
  readonly SpanStatusCode: { readonly ERROR: number }
  readonly trace: {
    setSpan(context: Context, span: Span): Context
    setSpanContext(context: Context, span: SpanContext): Context
  }
  createTraceState(text: string): unknown
}
export type Tracer = {
  startSpan(
    name: string,
    options: { readonly startTime?: Date; readonly kind?: number; readonly attributes: Attributes },
    context: Context,
  ): Span
}
export type Meter = {
  createHistogram(name: string, options: object): { record(value: number, attributes: Attributes): void }
  createCounter(name: string, options: object): { add(value: number, attributes: Attributes): void }
}

export type Exporter = {
  export(items: unknown, done: (result: { readonly code: number; readonly error?: Error }) => void): void
}
export type Exporters = Readonly<Record<string, (new (config: object) => Exporter) | undefined>>
export type Resources = { resourceFromAttributes(attributes: object): object }
export type Tracing = {
  readonly BasicTracerProvider: new (options: object) => { getTracer(name: string): Tracer; shutdown(): Promise<void> }
  readonly BatchSpanProcessor: new (exporter: Exporter) => object
}
export type Measuring = {
  readonly MeterProvider: new (options: object) => { getMeter(name: string): Meter; shutdown(): Promise<void> }
  readonly PeriodicExportingMetricReader: new (options: { readonly exporter: Exporter }) => object
}
