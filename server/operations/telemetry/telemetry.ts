import type { Log } from '../../base/log'
import type { Timing } from '../../base/timing'
import type { Env } from '../../env/env'
import type { RequestContext, RequestLine } from '../../http/request-context'
import type { Transition } from '../../ledger/transitions'
import type { FigureParts } from './figures'
import { createMetrics, type Ended, type Metrics } from './metrics'
import type { TraceSettings, Traces } from './traces'

/** The telemetry of a process: metrics, a log line per step, and spans for the configured collector. */
export type Telemetry = {
  timing: Timing
  onMove: (move: Transition) => void
  /** The HTTP server calls it around each request. */
  around: (request: RequestContext, work: () => Promise<void>) => Promise<void>
  /** The HTTP server calls it after each request. */
  answered: (line: RequestLine) => void
  readFrom: (parts: FigureParts) => void
  metrics: Metrics['text']
  stop(): Promise<void>
}

/** Starts telemetry. The tracing library is loaded only when an endpoint is configured. */
export async function startTelemetry(env: Env, log: Log, version: string): Promise<Telemetry> {
  const metrics = createMetrics(version)
  const settings = traceSettings(env, version)
  const traces = settings && (await import('./traces')).startTraces(settings, log)
  const logStep = stepLog(log)
  return {
    timing: createTiming(metrics, traces),
    onMove(move) {
      logStep(move)
      metrics.moved(move)
    },
    around: counted(metrics, traces),
    answered: metrics.request,
    readFrom: metrics.readFrom,
    metrics: metrics.text,
    stop: async () => traces?.stop(),
  }
}

function counted(metrics: Metrics, traces: Traces | null): Telemetry['around'] {
  return async (request, work) => {
    metrics.answering(1)
    request.res.once('close', () => metrics.answering(-1))
    return traces ? traces.around(request, work) : work()
  }
}

/** The destination of traces, from the OpenTelemetry variables; null when unset. */
export function traceSettings(env: Env, version: string): TraceSettings | null {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: all, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: traces } = env
  const url = traces ?? (all === undefined ? undefined : `${all.replace(/\/+$/, '')}/v1/traces`)
  if (url === undefined) return null
  return {
    url,
    version,
    headers: env.OTEL_EXPORTER_OTLP_HEADERS,
    share: env.OTEL_TRACES_SAMPLER_ARG,
    service: env.OTEL_SERVICE_NAME,
  }
}

/** Logs one line per step of a settlement, with the milliseconds in the state before. */
function stepLog(log: Log): (move: Transition) => void {
  return (move) => log.info(move, 'step')
}

/** Passes durations to the metrics, and makes spans where traces are configured. */
function createTiming({ listeners, judgedBad }: Pick<Metrics, 'listeners' | 'judgedBad'>, traces: Traces | null): Timing {
  return {
    async time<T>(piece: Parameters<Timing['time']>[0], work: () => Promise<T>): Promise<T> {
      const observe = listeners[piece.name]
      const run = traces ? () => traces.within(piece, work) : work
      if (!observe) return run()
      const began = performance.now()
      const end = (ended: Ended) => observe(piece.facts, (performance.now() - began) / 1_000, ended)
      try {
        const value = await run()
        end({ value })
        return value
      } catch (error) {
        end({ error })
        throw error
      }
    },
    judgedBad,
    mark: () => traces?.mark() ?? null,
    traces: traces !== null,
  }
}
