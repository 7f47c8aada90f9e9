import type { RequestLine, Visit } from '../door/visit'
import type { Env } from '../env'
import type { Log } from '../log'
import type { ToldMove } from '../store/told-moves'
import type { Timing } from '../timing'
import type { FigureParts } from './figures'
import { createMetrics, type Metrics } from './metrics'
import { stepLog } from './steps'
import { createTiming } from './timing'
import type { TraceSettings, Traces } from './traces'

/** What a process tells of itself: metrics to whoever asks, a line per step to the log, spans to the collector that is configured. */
export type Telemetry = {
  timing: Timing
  onMove: (move: ToldMove) => void
  /** The door: a request begins. */
  around: (visit: Visit, work: () => Promise<void>) => Promise<void>
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
  return async (visit, work) => {
    metrics.answering(1)
    visit.res.once('close', () => metrics.answering(-1))
    return traces ? traces.around(visit, work) : work()
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
