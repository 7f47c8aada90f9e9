import { expect, test } from 'vitest'
import { alertsOf, faultAlerts } from './attention'

const keyOf = (name: string, left: number, plan = 'free') => {
  return { id: `id of ${name}`, name, plan, quota: { left, limit: 1_000, resetAt: null }, revokedAt: null }
}
const webhook = { id: 'a', url: 'https://shop.example/hook', gone: false, disabledAt: null, failures: 0 }

test('a quota counts from 80%, and keys that share one are one alert', () => {
  const keys = [keyOf('shop', 200), keyOf('second', 200), keyOf('quiet', 201, 'pro')]
  expect(alertsOf(keys, []).map(({ text }) => text)).toEqual(['shop used 80% of its monthly quota.'])
})

test('a used-up quota refuses payments, so it is first; revoked keys do not count', () => {
  const revoked = { ...keyOf('old', 0, 'pro'), revokedAt: '2026-11-20T00:00:00.000Z' }
  const alerts = alertsOf([revoked, keyOf('shop', 0)], [{ ...webhook, failures: 2 }])
  expect(alerts.map(({ tone, text }) => [tone, text])).toEqual([
    ['bad', 'The quota of shop is used up. Its payments are refused.'],
    ['warn', 'The webhook shop.example fails: 2 deliveries in 24 hours.'],
  ])
})

test('a webhook that we disabled is an alert; one that its merchant disabled is one only if no other is left', () => {
  const disabledAt = '2026-11-20T00:00:00.000Z'
  expect(alertsOf([], [webhook, { ...webhook, disabledAt }])).toEqual([])
  expect(alertsOf([], [{ ...webhook, disabledAt, gone: true }]).map(({ text }) => text)).toEqual([
    'The webhook shop.example is disabled: your server answered 410 Gone.',
  ])
  expect(alertsOf([], [{ ...webhook, disabledAt }]).map(({ text }) => text)).toEqual([
    'The webhook shop.example is disabled, so no events are sent.',
  ])
})

test('failures of ours and of the chain are an alert from three and from 5% of the valid payments on, with a link to them', () => {
  const of = (facilitator: number, chain: number, valid = 100) => {
    const faults = { valid, failed: { facilitator, chain }, reasons: ['unknown'], since: '2026-11-20T00:00:00.000Z' }
    return faultAlerts(faults, (filters) => `?${new URLSearchParams(filters)}`)
  }
  expect([of(2, 0, 10), of(2, 2), of(0, 0, 0)]).toEqual([[], [], []])
  expect(of(4, 1).map(({ tone, text, href }) => [tone, text, href])).toEqual([
    [
      'warn',
      '5% of valid payments failed in 24 hours: 4 on our side, 1 on the chain. Their payers can pay again.',
      '?status=failed&reason=unknown&from=2026-11-20T00%3A00%3A00.000Z',
    ],
  ])
  expect(of(0, 40).map(({ tone }) => tone)).toEqual(['bad'])
})
