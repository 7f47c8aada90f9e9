import { expect, test } from 'vitest'
import { barsOf, markedOn, medianLine } from './bars'

const TODAY = '2026-11-27'
const day = (date: string, settled: number, failed: number, median_ms: number | null = null) => ({
  date,
  settled,
  failed,
  median_ms,
})

test('each of 90 days has a bar, whose color is that of our failures and the chain, and which says its figures', () => {
  const days = [
    day('2026-11-23', 3, 1),
    day('2026-11-24', 900, 100),
    day('2026-11-25', 97, 3),
    day('2026-11-26', 999, 1),
    day(TODAY, 1, 0),
  ]
  const bars = barsOf({ days, incidents: [], today: TODAY })
  expect([bars.length, bars[0]?.date, bars[0]?.tone]).toEqual([90, '2026-08-30', 'none'])
  expect(bars.slice(-6).map(({ tone, text }) => `${tone} ${text}`)).toEqual([
    'none Nov 22: no payments',
    'warn Nov 23: 1 of 4 valid payments failed',
    'bad Nov 24: 100 of 1,000 valid payments failed',
    'warn Nov 25: 3 of 100 valid payments failed',
    'good Nov 26: 1 of 1,000 valid payments failed',
    'good Today: the valid payment settled',
  ])
})

test('an incident marks its days on its networks, also days without payments', () => {
  const incident = (networks: string[], started: string, resolved: string | null, impact: 'degraded' | 'outage' = 'outage') => ({
    id: '01a2179f-9612-76ba-a6f8-63191279034f',
    title: `Down ${started}`,
    impact,
    networks,
    started_at: `${started}T05:00:00.000Z`,
    resolved_at: resolved && `${resolved}T05:00:00.000Z`,
    updates: [],
  })
  const incidents = [
    incident(['eip155:8453'], '2026-11-24', '2026-11-25'),
    incident([], TODAY, null, 'degraded'),
    incident(['eip155:1'], '2026-11-26', null),
  ]
  const bars = barsOf({ days: [], incidents: markedOn(incidents, 'eip155:8453'), today: TODAY })
  expect(bars.slice(-5).map(({ tone }) => tone)).toEqual(['none', 'bad', 'bad', 'none', 'warn'])
  expect(bars.at(-1)?.text).toBe('Today: no payments · Down 2026-11-27')
})

test('the line of medians leaves out days with too few payments, is flat while the time is steady, and needs a week', () => {
  const steady = [18, 19, 20, 21, 22, 24, 26].map((date) => day(`2026-11-${date}`, 30, 0, 1_000 + date))
  const days = [...steady, day('2026-11-25', 3, 0)]
  const { path = '', from, low, high } = medianLine(days, TODAY, 28) ?? {}
  expect([from, low, high]).toEqual([80, 1_018, 1_026])
  expect(path).toMatch(/^M80 [\d.]+L81 .*L86 [\d.]+L88 [\d.]+H89$/)
  const places = [...path.matchAll(/\d+ ([\d.]+)/g)].map(([, y]) => Number(y))
  expect(Math.max(...places) - Math.min(...places)).toBeLessThan(2)
  expect(medianLine(days.slice(1), TODAY, 28)).toBeNull()
})
