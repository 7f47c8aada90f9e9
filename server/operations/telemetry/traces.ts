import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { type Context, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Log } from '../../base/log'
import type { Mark, Piece } from '../../base/timing'
import type { RequestContext } from '../../http/request-context'

/** The destination of spans, from the environment: full URL, our headers, and the share of requests to trace (0 to 1). */
export type TraceSettings = { url: string; headers: Record<string, string>; share: number; service: string; version: string }

/** Spans of requests and their pieces. They hold facts and route patterns, never a URL or an error message. */
export type Traces = {
  /** Runs a request inside its span, which ends with the response; below the caller's span if it sent a W3C `traceparent`. */
  around(request: RequestContext, work: () => Promise<void>): Promise<void>
  within<T>(piece: Piece, work: () => Promise<T>): Promise<T>
  mark(): Mark
  /** Sends the remaining spans, for at most two seconds. */
  stop(): Promise<void>
}

const EXPORT_MS = 5_000
const STOP_MS = 2_000

/** Starts to collect spans. This file is loaded only where traces are configured. */
export function startTraces(settings: TraceSettings, log: Log): Traces {
  const ratio = new TraceIdRatioBasedSampler(settings.share)
  const exporter = loggingFailures(
    new OTLPTraceExporter({ url: settings.url, headers: settings.headers, timeoutMillis: EXPORT_MS }),
    log,
  )
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': settings.service, 'service.version': settings.version }),
    // A caller's sampling flag is ignored: untrusted callers must not force traces.
    sampler: new ParentBasedSampler({ root: ratio, remoteParentSampled: ratio }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  })
  return tracesBy(provider.getTracer(settings.service), async () => {
    await Promise.race([provider.shutdown(), delay(STOP_MS, undefined, { ref: false })])
  })
}

function tracesBy(tracer: Tracer, stop: () => Promise<void>): Traces {
  // A provider of our own, because pages and other Apps of the process share the global one.
  const current = new AsyncLocalStorage<Span>()
  const below = (span: Span | undefined) => (span ? trace.setSpan(ROOT_CONTEXT, span) : ROOT_CONTEXT)

  return {
    around(request, work) {
      const span = tracer.startSpan('request', { kind: SpanKind.SERVER }, callerOf(request.req.headers.traceparent))
      request.res.once('close', () => endRequest(span, request))
      return current.run(span, work)
    },
    async within({ name, facts, for: marks }, work) {
      const parents = marks ? marks.flatMap((mark) => spanOf(mark) ?? []) : [current.getStore()]
      const [first, ...others] = parents
      // Work outside a request, such as reading the newest block, would hide the spans of requests.
      if (!first && isTrip(name)) return work()
      const links = others.flatMap((other) => (other ? [{ context: other.spanContext() }] : []))
      const kind = isTrip(name) ? SpanKind.CLIENT : SpanKind.INTERNAL
      const span = tracer.startSpan(nameOf(name, facts), { kind, attributes: attributesOf(facts), links }, below(first))
      try {
        return await current.run(span, work)
      } catch (error) {
        fail(span, error)
        throw error
      } finally {
        span.end()
      }
    },
    mark: () => markOf(current.getStore()),
    stop,
  }
}

function endRequest(span: Span, { req, res, route, id }: RequestContext): void {
  const settlementId = res.getHeader('x-settlement-id')
  span.updateName(`${req.method} ${route}`)
  span.setAttributes({
    'http.request.method': req.method ?? '',
    'http.route': route,
    'quittance.request_id': id,
    ...(res.headersSent ? { 'http.response.status_code': res.statusCode } : {}),
    ...(typeof settlementId === 'string' ? { 'quittance.settlement_id': settlementId } : {}),
  })
  if (res.headersSent && res.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
  span.end()
}

// Messages may quote URLs and bodies; the class name of an error does not.
function fail(span: Span, error: unknown): void {
  span.setStatus({ code: SpanStatusCode.ERROR })
  span.setAttribute('error.type', error instanceof Error ? error.name : 'unknown')
}

const isTrip = (name: Piece['name']) => name === 'rpc' || name === 'kyt' || name === 'database'

const nameOf = (name: Piece['name'], { method, statement }: Piece['facts']) =>
  [name, method ?? statement].filter((part) => part !== undefined).join(' ')

const attributesOf = (facts: Piece['facts']) =>
  Object.fromEntries(Object.entries(facts).map(([name, value]) => [`quittance.${name}`, value]))

const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/

function callerOf(header: string | string[] | undefined): Context {
  const [, traceId, spanId, flags] = (typeof header === 'string' && TRACEPARENT.exec(header)) || []
  if (!traceId || !spanId || !flags) return ROOT_CONTEXT
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true })
}

// A mark is a span that only this file reads.
const markOf = (span: Span | undefined) => (span ?? null) as Mark
const spanOf = (mark: Mark) => mark as unknown as Span | null

const COMPLAIN_EVERY_MS = 60_000

// The library does not report failures.
function loggingFailures(exporter: SpanExporter, log: Log): SpanExporter {
  let complainedAt = Number.NEGATIVE_INFINITY
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.code !== 0 && performance.now() - complainedAt >= COMPLAIN_EVERY_MS) {
          complainedAt = performance.now()
          log.warn({ err: result.error, spans: spans.length }, 'the collector does not accept traces; these spans are lost')
        }
        done(result)
      }),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
    shutdown: () => exporter.shutdown(),
  }
}
