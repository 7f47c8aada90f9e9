import { Registry } from 'prom-client'
import { createGauges, createInstruments } from '../../server/operations/telemetry/instruments'
import { createMetrics } from '../../server/operations/telemetry/metrics'

/** The metrics that an instance exports: our own names, and all with the suffixes that Prometheus adds to histograms. */
export async function exported(): Promise<{ own: string[]; all: ReadonlySet<string> }> {
  const { text } = await createMetrics('1').text()
  const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type]) => ({ name, type }))
  const all = types.flatMap(({ name, type }) =>
    type === 'histogram' ? [name, `${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
  )
  return { own: types.map(({ name }) => name).filter((name) => name.startsWith('quittance_')), all: new Set(all) }
}

/** The metrics that a query names. Prometheus makes `up` itself. */
export const namedIn = (query: string): string[] =>
  [...query.matchAll(/\b(?:quittance|nodejs|process)_[a-z0-9_]+\b/g)].map(([name]) => name)

/** The brackets of a query that are opened and not closed, or the reverse. */
export const unevenIn = (query: string): string[] =>
  ['()', '{}', '[]'].filter(([open = '', close = '']) => query.split(open).length !== query.split(close).length)

/** The labels of one of our metrics, with or without a suffix of a histogram. Throws for an unknown one. */
export function labelsOf(metric: string): string[] {
  const registry = new Registry()
  createInstruments(registry)
  createGauges(registry)
  const found = registry.getSingleMetric(metric.replace(/_(bucket|count|sum)$/, '')) ?? registry.getSingleMetric(metric)
  if (found === undefined || !('labelNames' in found) || !Array.isArray(found.labelNames)) throw new Error(`no metric ${metric}`)
  return found.labelNames.map(String)
}
