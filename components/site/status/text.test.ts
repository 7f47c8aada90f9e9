import { describe, expect, test } from 'vitest'
import type { Status, TierStatus } from '@/server/operations/status/status'
import { figuresOf } from '../../../server/operations/status/figures'
import { hadPayments, headline, pendingText, reasonRows, stateOf, successText } from './text'

const tier = (changed: Partial<TierStatus>): TierStatus => ({
  tier: 'standard',
  available: true,
  since: '2026-11-24T05:00:00.000Z',
  pending: { count: 0, oldest_ms: null },
  last_24_hours: figuresOf([], 0),
  last_30_days: figuresOf([], 0),
  ...changed,
})

const network = (...tiers: TierStatus[]): Status['networks'][number] => {
  return { network: 'eip155:8453', name: 'Base', testnet: false, last_90_days: null, tiers }
}

const incident = {
  id: '01a2179f-9612-76ba-a6f8-63191279034f',
  title: 'Slow settlements',
  impact: 'degraded' as const,
  networks: [],
  started_at: '2026-11-24T05:00:00.000Z',
  resolved_at: null,
  updates: [{ at: '2026-11-24T05:00:00.000Z', text: 'We look into it.' }],
}

describe('the headline', () => {
  test.each([
    [true, [network(tier({}))], 'All networks are accepting payments.'],
    [true, [network(tier({}), tier({ available: null }))], 'All configured networks are accepting payments.'],
    [true, [network(tier({ tier: 'flash', available: false }), tier({}))], 'Not available now: Base (flash).'],
    [
      true,
      [network(tier({ available: false }), tier({ tier: 'flash', available: false }))],
      'Not available now: Base (standard, flash).',
    ],
    [true, [network(tier({ available: null }))], 'No network is configured.'],
    [false, [network(tier({}))], 'The service cannot take payments now.'],
  ])('%s: %#', (available, networks, text) => {
    expect(headline({ available, networks, incidents: [] }).text).toBe(text)
  })

  test('names open incidents only, and is no longer good with one', () => {
    const networks = [network(tier({}))]
    const over = { ...incident, resolved_at: '2026-11-24T06:00:00.000Z' }
    expect(headline({ available: true, networks, incidents: [over] }).tone).toBe('good')
    expect(headline({ available: true, networks, incidents: [incident, over] })).toEqual({
      text: 'All networks are accepting payments. One incident is open.',
      tone: 'warn',
    })
  })
})

test('a network has the state of its worst configured tier', () => {
  const flash = tier({ tier: 'flash', available: false })
  const states = [[tier({})], [tier({}), flash], [flash], [tier({ available: null })]].map((tiers) => stateOf({ tiers }))
  expect(states).toEqual([
    { text: 'Accepting payments', tone: 'good' },
    { text: 'Flash not available', tone: 'warn' },
    { text: 'Not available', tone: 'bad' },
    { text: 'Not configured', tone: 'plain' },
  ])
})

test('a share is rounded down and has its bound, and nothing is claimed of too few', () => {
  expect(successText({ of: 1_000, share: 0.9999, lower_bound: 0.9957 })).toEqual({ share: '99.9%', bound: 'at least 99.5%' })
  expect(successText({ of: 19, share: null, lower_bound: null })).toBeNull()
})

test('a queue is empty, has an oldest payment, or is unknown', () => {
  expect(pendingText({ count: 0, oldest_ms: null })).toBe('Queue empty')
  expect(pendingText({ count: 3, oldest_ms: 1_240 })).toBe('3 pending, oldest 1.2 s')
  expect(pendingText(null)).toBe('Queue unknown')
})

test('reasons of both windows are listed once, by cause', () => {
  const failed = (reason: string, count: number) => ({
    network: 'eip155:8453',
    tier: 'standard',
    accepted: true,
    bin: -1,
    reason,
    count,
  })
  const status = {
    last_24_hours: figuresOf([failed('insufficient_funds', 1)], 2),
    last_30_days: figuresOf([failed('insufficient_funds', 9), failed('settlement_reversed', 3)], 2),
  }
  expect(reasonRows(status).map(({ cause, title, day, days }) => [cause, title, day, days])).toEqual([
    ['payer', 'Insufficient funds', 1, 9],
    ['chain', expect.any(String), 0, 3],
    ['facilitator', 'Not sent in time', 2, 2],
  ])
  expect([hadPayments(status), hadPayments(tier({}))]).toEqual([true, false])
})
