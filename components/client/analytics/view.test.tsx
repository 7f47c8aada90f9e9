import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { changeText } from '../../ui/figures'
import { changesOf, comparisonOf } from './changes'
import { drawnFigure, type Figures } from './figure'
import { settlementsUrl } from './links'
import { Ranked } from './ranked'

// Of the failures, payers caused half.
const sums = (settled: number, failed: number, volume: string) => ({
  settled,
  failed,
  valid: settled + failed / 2,
  volume,
  p50: 900,
  p95: 2_000,
})
const dayOf = (day: string, next: string, of: ReturnType<typeof sums>) => ({
  day,
  from: `${day}T00:00:00.000Z`,
  until: `${next}T00:00:00.000Z`,
  ...of,
  networks: [{ network: 'eip155:8453', settled: of.settled, failed: of.failed, valid: of.valid, volume: of.volume }],
})

const data: Figures = {
  zone: 'UTC',
  at: '2026-11-23T15:00:00.000Z',
  more: false,
  asset: { symbol: 'USDC', decimals: 6 },
  assets: ['USDC'],
  days: [dayOf('2026-11-22', '2026-11-23', sums(8, 2, '8000')), dayOf('2026-11-23', '2026-11-24', sums(1, 0, '1'))],
  previous: [dayOf('2026-11-20', '2026-11-21', sums(5, 0, '5000')), dayOf('2026-11-21', '2026-11-22', sums(0, 0, '0'))],
  total: sums(9, 2, '8001'),
  before: sums(5, 0, '5000'),
  networks: [{ network: 'eip155:8453', ...sums(9, 2, '8001') }],
  few: false,
  reasons: [],
}

test('today is the last bar, marked as not over, and named; the past stands behind the bars', () => {
  const { points, series } = drawnFigure({ figure: 'settlements', stack: 'outcome', past: true }, data, undefined)
  expect(points?.map(({ title, partial }) => [title, partial])).toEqual([
    ['Sun, Nov 22, 2026', false],
    ['Today so far, Nov 23', true],
  ])
  expect(series.map(({ name, form }) => [name, form])).toEqual([
    ['Settled', 'bar'],
    ['Failed', 'bar'],
    ['Previously settled', 'past-bar'],
  ])
  expect(points?.[0]?.shown).toEqual({ settled: '8', failed: '2', past: '5' })
})

test('a figure is stacked by network, and a micropayment is never nothing', () => {
  const { points, series } = drawnFigure({ figure: 'volume', stack: 'network', past: false }, data, undefined)
  expect(series.map(({ name }) => name)).toEqual(['Base'])
  expect(points?.[1]?.shown['eip155:8453']).toBe('0.000001 USDC')
  expect(points?.[1]?.values['eip155:8453']).toBe(0.000001)
})

test('no two networks share a colour: the smallest of many are one series', () => {
  const ids = [8453, 137, 43_114, 42_161, 1, 10].map((chainId) => `eip155:${chainId}`)
  const many = ids.map((network, at) => ({ network, settled: at + 1, failed: 0, valid: at + 1, volume: String(at + 1) }))
  const days = data.days.map((day) => ({ ...day, networks: many }))
  const all: Figures = { ...data, days, networks: many }
  const { points, series } = drawnFigure({ figure: 'settlements', stack: 'network', past: false }, all, undefined)
  expect(series.map(({ key }) => key)).toEqual(['eip155:43114', 'eip155:42161', 'eip155:1', 'eip155:10', 'others'])
  expect(new Set(series.map(({ color }) => color)).size).toBe(5)
  expect([series.at(-1)?.name, points?.[0]?.shown.others]).toEqual(['2 more', '3'])
})

test('a rate is of valid payments and changes in points, counts in percent, and a shorter settle time is better', () => {
  const { rate, settlements, time, payers } = changesOf(data, { payers: 3, before: 0 })
  expect([rate && changeText(rate), settlements && changeText(settlements)]).toEqual(['−10 pts', '+80%'])
  expect([time?.good, payers]).toEqual(['down', null])
})

test('a period is compared with one before whose payments began before its last quarter', () => {
  // A month whose first payment was that many days before its end.
  const begunBefore = (days: number) => ({
    previous: Array.from({ length: 30 }, (_, at) =>
      dayOf('2026-09-01', '2026-09-02', at === 30 - days ? sums(0, 1, '0') : sums(0, 0, '0')),
    ),
  })
  expect(comparisonOf(undefined)).toBe('full')
  expect([0, 2, 7, 8, 30].map((days) => comparisonOf(begunBefore(days)))).toEqual(['none', 'little', 'little', 'full', 'full'])
  const little: Figures = { ...data, ...begunBefore(2) }
  expect(changesOf(little, { payers: 3, before: 1 })).toEqual({})
})

test('a day links to its settlements with the filters of the screen', () => {
  const scope = { environment: 'mainnet', network: null, zone: 'Asia/Kathmandu' }
  const day = { from: '2026-11-22T18:15:00.000Z', to: '2026-11-23T18:15:00.000Z' }
  const url = new URL(settlementsUrl({ path: '/console/history', of: { owner: 'alice' } }, scope, day), 'http://a.test')
  expect([url.pathname, Object.fromEntries(url.searchParams)]).toEqual([
    '/console/history',
    { owner: 'alice', environment: 'mainnet', zone: 'Asia/Kathmandu', ...day },
  ])
})

describe('leaders', () => {
  const rows = [
    { key: 'a', name: 'a', count: 3, good: 3, volume: '1', before: null },
    { key: 'b', name: 'b', count: 2, good: 1, volume: '1500000', before: '1000000' },
    { key: 'c', name: 'c', count: 1, good: 1, volume: '500000', before: '0' },
  ]
  const tableOf = (compared: boolean) =>
    renderToStaticMarkup(
      <Ranked
        token={data.asset}
        total="2000001"
        compared={compared}
        what="Top resources"
        first="Resource"
        rows={rows}
        empty="None."
      />,
    )

  test('are a table by volume, with its order named and the share of each', () => {
    const table = tableOf(true)
    expect(['b', 'c', 'a'].map((name) => table.indexOf(`>${name}<`)).toSorted((one, other) => one - other)).toEqual(
      ['b', 'c', 'a'].map((name) => table.indexOf(`>${name}<`)),
    )
    expect(table).toContain('aria-sort="descending"')
    expect(table).toContain('75.0%')
    expect(table).toContain('0.000001')
  })

  test('say how much more they earned than before, or that they are new', () => {
    const table = tableOf(true)
    expect(table).toContain('+50%')
    expect(table).toContain('New')
    expect(tableOf(false)).not.toContain('New')
  })
})
