import { collectDefaultMetrics, Registry } from 'prom-client'
import type { PieceName, TimedFacts, Timing } from '../../base/timing'
import type { RequestLine } from '../../http/request-context'
import type { State } from '../../ledger/states'
import type { Transition } from '../../ledger/transitions'
import { type FigureParts, readFigures } from './figures'
import { createGauges, createInstruments, type Instruments } from './instruments'

/** The metrics of one process, separate for each App in it. */
export type Metrics = {
  /** Records a finished request. */
  request(line: RequestLine): void
  /** Counts requests in flight. */
  answering(by: 1 | -1): void
  moved(move: Transition): void
  judgedBad: Timing['judgedBad']
  /** The listener for pieces of this name: duration, and result or error. Undefined without one. */
  listeners: Partial<Record<PieceName, (facts: TimedFacts, seconds: number, ended: Ended) => void>>
  /** Reads figures from these parts from now on, at each scrape. */
  readFrom(parts: FigureParts): void
  /** All metrics in the Prometheus format. Scrapes within five seconds share the figures. */
  text(): Promise<{ text: string; mediaType: string }>
}

/** How a piece of work ended. */
export type Ended = { value: unknown } | { error: unknown }

const REMEMBERED_MS = 5_000
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS'])

/** Creates the metrics of a process. */
export function createMetrics(version: string): Metrics {
  const registry = new Registry()
  const instruments = createInstruments(registry)
  const gauges = createGauges(registry)
  instruments.build.set({ version, node: process.version }, 1)
  let parts: FigureParts | undefined
  let reading: Promise<void> | undefined
  let readAt = Number.NEGATIVE_INFINITY
  let watched = false

  async function read(from: FigureParts): Promise<void> {
    await readFigures(from, gauges)
    readAt = performance.now()
  }

  return {
    request({ route, method, status, milliseconds }) {
      const known = METHODS.has(method) ? method : 'other'
      instruments.requests.observe({ route, method: known, status: classOf(status) }, milliseconds / 1_000)
    },
    answering: (by) => instruments.answering.inc(by),
    moved: (move) => countMove(instruments, move),
    judgedBad: (facts) => instruments.badJudgements.inc(facts),
    listeners: {
      rpc(facts, seconds, ended) {
        instruments.rpc.observe(facts, seconds)
        if ('error' in ended) instruments.rpcErrors.inc(facts)
      },
      kyt(facts, seconds, ended) {
        const outcome = 'error' in ended ? 'failed' : String(ended.value)
        instruments.kyt.observe({ ...facts, outcome }, seconds)
      },
    },
    readFrom(from) {
      parts = from
    },
    async text() {
      // From the first scrape on: measuring the event loop costs a little, and cannot be switched off again.
      if (!watched) collectDefaultMetrics({ register: registry })
      watched = true
      if (parts && performance.now() - readAt >= REMEMBERED_MS) {
        reading ??= read(parts).finally(() => {
          reading = undefined
        })
        await reading
      }
      return { text: await registry.metrics(), mediaType: registry.contentType }
    },
  }
}

const classOf = (status: number) => (status === 499 ? '499' : `${Math.floor(status / 100)}xx`)

/** The transitions that are an outcome, by their target state. A preconfirmed success is not counted again when a block holds it. */
const OUTCOMES: Partial<Record<State, (from: State | null) => string | null>> = {
  PRECONFIRMED: () => 'succeeded',
  INCLUDED: (from) => (from === 'PRECONFIRMED' ? null : 'succeeded'),
  UNCHARGED: () => 'succeeded',
  REJECTED: () => 'not_sent',
  REVERTED: () => 'reverted',
  USED_ELSEWHERE: () => 'used_elsewhere',
  EXPIRED: () => 'expired',
  UNPAID: () => 'unpaid',
  REVERSED: () => 'reversed',
}

function countMove({ settlements, steps }: Instruments, { network, tier, from, to, milliseconds }: Transition): void {
  if (from) steps.observe({ network, tier, from, to }, milliseconds / 1_000)
  const outcome = OUTCOMES[to]?.(from)
  if (outcome) settlements.inc({ network, tier, outcome })
}
