import type { Env } from '../../env'
import type { RequestContext, RequestLine } from '../../http/request-context'
import type { Transition } from '../../ledger/transitions'
import type { Log } from '../../log'
import type { Timing } from '../../timing'
import type { FigureParts } from './figures'
import { createMetrics, type Ended, type Metrics } from './metrics'
import type { TraceSettings, Traces } from './traces'

/** What a process tells of itself: metrics to whoever asks, a line per step to the log, spans to the collector that is configured. */
export type Telemetry = {
  timing: Timing
  onMove: (move: Transition) => void
  /** The door: a request begins. */
  around: (request: RequestContext, work: () => Promise<void>) => Promise<void>
  /** The door: a request came to its end. */
  answered: (line: RequestLine) => void
  readFrom: (parts: FigureParts) => void
  metrics: Metrics['text']
  stop(): Promise<void>
}

/** Starts telling. The tracing library is loaded when an endpoint is configured, and not otherwise. */
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

/** Where traces go, as the variables of OpenTelemetry say it; null where nothing is configured. */
export function traceSettings(env: Env, version: string): TraceSettings | null {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: all, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: traces } = env
  const url = traces ?? (all === undefined ? undefined : `${all.replace(/\/+$/, '')}/v1/traces`)
  if (url === undefined) return null
  return {
    ...{ url, version, headers: env.OTEL_EXPORTER_OTLP_HEADERS },
    ...{ share: env.OTEL_TRACES_SAMPLER_ARG, service: env.OTEL_SERVICE_NAME },
  }
}

/** Writes one line for every step of a settlement, with the milliseconds that it was in the state before. */
export function stepLog(log: Log): (move: Transition) => void {
  return (move) => log.info(move, 'step')
}

/** Tells metrics how long pieces of work took, and makes spans of them where traces are configured. */
export function createTiming({ listeners, judgedBad }: Pick<Metrics, 'listeners' | 'judgedBad'>, traces: Traces | null): Timing {
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
