import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ROOT } from '../support/source-files'
import { exported, labelsOf, namedIn, unevenIn } from './exported-metrics'

const Dashboard = z.object({
  templating: z.object({ list: z.array(z.object({ name: z.string() })) }),
  panels: z.array(
    z.object({
      id: z.number(),
      title: z.string().min(1),
      gridPos: z.object({ x: z.number(), y: z.number(), w: z.number(), h: z.number() }),
      targets: z.array(z.object({ expr: z.string(), legendFormat: z.string() })).default([]),
    }),
  ),
})

const { panels, templating } = Dashboard.parse(JSON.parse(readFileSync(path.join(ROOT, 'ops/grafana.json'), 'utf8')))
const queries = panels.flatMap(({ title, targets }) => targets.map((target) => ({ title, ...target })))
/** Labels that Prometheus itself adds. */
const OF_PROMETHEUS = ['le', 'instance']

/** The labels that a query filters or groups by. */
const filteredOrGrouped = (expr: string) => [
  ...[...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, names = '']) => names.split(', ')),
  ...[...expr.matchAll(/[{,]\s*(\w+)\s*(?:=~|!=|=)/g)].map(([, name = '']) => name),
]

describe('ops/grafana.json', () => {
  test.each(queries)('$title asks only for exported metrics, by labels that they have', async ({ expr, legendFormat }) => {
    const names = namedIn(expr)
    const { all } = await exported()
    expect(names).not.toEqual([])
    expect(names.filter((name) => !all.has(name))).toEqual([])
    expect(unevenIn(expr)).toEqual([])
    const labels = [...names.filter((name) => name.startsWith('quittance_')).flatMap(labelsOf), ...OF_PROMETHEUS]
    expect(filteredOrGrouped(expr).filter((label) => !labels.includes(label))).toEqual([])
    const shown = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = '']) => label)
    expect(shown.filter((label) => !labels.includes(label))).toEqual([])
  })

  test('a query of a label that its metric lacks is found', () => {
    expect(
      filteredOrGrouped('sum by (network, tenant) (rate(quittance_settlements_total{network=~"$network", payer="x"}[5m]))'),
    ).toEqual(['network', 'tenant', 'network', 'payer'])
    expect(labelsOf('quittance_settlements_total')).toEqual(['network', 'tier', 'outcome'])
  })

  test('uses only variables that it defines', () => {
    const used = queries.flatMap(({ expr }) => [...expr.matchAll(/\$(\w+)/g)].map(([, name = '']) => name))
    const defined = [...templating.list.map(({ name }) => name), '__rate_interval']
    expect(used.filter((name) => !defined.includes(name))).toEqual([])
  })

  test('no panel lies on another, and none has the id of another', () => {
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
    const places = panels.map(({ gridPos }) => gridPos)
    const overlap = (one: (typeof places)[number], other: (typeof places)[number]) =>
      one.x < other.x + other.w && other.x < one.x + one.w && one.y < other.y + other.h && other.y < one.y + one.h
    expect(places.filter((one, at) => places.slice(at + 1).some((other) => overlap(one, other)))).toEqual([])
    expect(places.filter(({ x, w }) => x + w > 24)).toEqual([])
  })
})
