import { expect, test } from 'vitest'
import { exportUrl } from './list-menus'

test('an export has every filter of the list and the zone', () => {
  const filter = { status: 'failed', reason: ['unknown', 'network_mismatch'], from: '2026-11-01T00:00:00.000Z' } as const
  const url = exportUrl('csv', 'merchant', { ...filter, reason: [...filter.reason] }, 'Europe/Berlin', 'settled')
  expect(Object.fromEntries(new URL(url, 'http://a.test').searchParams)).toEqual({
    status: 'failed',
    reason: 'unknown,network_mismatch',
    from: '2026-11-01T00:00:00.000Z',
    reader: 'merchant',
    zone: 'Europe/Berlin',
    format: 'csv',
  })
})

test.each([
  [{}, 'settled', 'success'],
  [{}, 'all', null],
  [{ status: 'failed' }, 'settled', 'failed'],
  [{ reason: ['unknown'] }, 'settled', null],
] as const)('a file of a list with %j has %s payments: its outcome is %s', (filter, outcomes, status) => {
  const { reason, ...others }: { reason?: readonly string[]; status?: 'failed' } = filter
  const url = exportUrl('csv', 'merchant', { ...others, ...(reason ? { reason: [...reason] } : {}) }, 'UTC', outcomes)
  expect(new URL(url, 'http://a.test').searchParams.get('status')).toBe(status)
})
