import { describe, expect, test } from 'vitest'
import { dateInput, momentInput } from './schemas'

const accepts = (input: typeof momentInput | typeof dateInput, text: string) => input.safeParse(text).success

describe('a caller names only times that the database stores', () => {
  test('in any offset', () => {
    for (const time of ['1970-01-01T00:00:00Z', '2026-11-29T08:00:00+05:45', '9998-12-31T23:59:59Z']) {
      expect(momentInput.parse(time), time).toBe(Date.parse(time))
    }
    for (const time of ['0000-01-01T00:00:00Z', '1970-01-01T00:00:00+01:00', '9999-12-31T23:59:59-23:59']) {
      expect(accepts(momentInput, time), time).toBe(false)
    }
  })

  test('by their date', () => {
    expect(['1970-01-01', '9998-12-31'].map((date) => accepts(dateInput, date))).toEqual([true, true])
    expect(['0000-01-01', '1969-12-31', '9999-12-31'].map((date) => accepts(dateInput, date))).toEqual([false, false, false])
  })
})
