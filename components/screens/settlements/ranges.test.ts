import { describe, expect, test } from 'vitest'
import { presets } from '../../client/presets'
import { minuteOf, presetOf, rangeOf, rangeOfDays, rangeOfMinutes } from './ranges'

const NOW = new Date('2026-11-01T02:30:00Z')

describe('a range by name', () => {
  test.each([
    ['today', '2026-11-01T00:00:00.000Z', '2026-11-02T00:00:00.000Z'],
    ['yesterday', '2026-10-31T00:00:00.000Z', '2026-11-01T00:00:00.000Z'],
    ['week', '2026-10-26T00:00:00.000Z', '2026-11-02T00:00:00.000Z'],
    ['month', '2026-10-03T00:00:00.000Z', '2026-11-02T00:00:00.000Z'],
    ['this-month', '2026-11-01T00:00:00.000Z', '2026-11-02T00:00:00.000Z'],
    ['last-month', '2026-10-01T00:00:00.000Z', '2026-11-01T00:00:00.000Z'],
  ] as const)('%s is half-open in UTC', (name, from, to) => {
    expect(rangeOf(name, NOW, 'UTC')).toEqual({ from, to })
  })

  test('has the days of its zone, also when clocks change', () => {
    expect(rangeOf('today', NOW, 'America/New_York')).toEqual({
      from: '2026-10-31T04:00:00.000Z',
      to: '2026-11-01T04:00:00.000Z',
    })
    expect(rangeOfDays('2026-11-01', '2026-11-01', 'America/New_York')).toEqual({
      from: '2026-11-01T04:00:00.000Z',
      to: '2026-11-02T05:00:00.000Z',
    })
  })

  test('is recognised in a link, and minutes come back as they were given', () => {
    for (const zone of ['UTC', 'Europe/Berlin', 'Asia/Kathmandu']) {
      for (const [name] of presets) {
        const range = rangeOf(name, NOW, zone)
        const found = presetOf(range, NOW, zone)
        expect(found && rangeOf(found, NOW, zone)).toEqual(range)
      }
      const { from, to } = rangeOfMinutes('2026-03-28T01:30', '2026-03-29T03:00', zone)
      const shown = [from, to].map((moment, at) => minuteOf(new Date(Date.parse(moment) - at), zone))
      expect(shown).toEqual(['2026-03-28T01:30', '2026-03-29T03:00'])
      expect(rangeOfMinutes('2026-03-28T00:00', '2026-03-30T23:59', zone)).toEqual(rangeOfDays('2026-03-28', '2026-03-30', zone))
    }
    expect(presetOf({ from: '2026-10-31T00:00:00.000Z', to: '2026-11-01T00:00:01.000Z' }, NOW, 'UTC')).toBeNull()
  })
})
