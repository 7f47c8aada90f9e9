import { describe, expect, test } from 'vitest'
import { zoneFormats } from './zones'

const NAME = 'America/Argentina/Buenos_Aires'

/** The name with capitals where the number has ones. */
const spelled = (number: number) =>
  Array.from(NAME, (char, at) => (number & (1 << (at % 16)) ? char.toUpperCase() : char.toLowerCase())).join('')

describe('formats of time zones', () => {
  test('are one for a thousand spellings of a zone', () => {
    const formatOf = zoneFormats('en', { hour: 'numeric' })
    const spellings = new Set(Array.from({ length: 1_000 }, (_, number) => spelled(number)))
    expect(spellings.size).toBe(1_000)
    expect(new Set([...spellings].map(formatOf)).size).toBe(1)
  })

  test('are kept for the 64 zones that were used last', () => {
    const formatOf = zoneFormats('en', { hour: 'numeric' })
    const [often, once] = [formatOf('Europe/Berlin'), formatOf('Asia/Tokyo')]
    const zones = Intl.supportedValuesOf('timeZone').filter((zone) => !['Europe/Berlin', 'Asia/Tokyo'].includes(zone))
    for (const zone of zones.slice(0, 63)) {
      formatOf(zone)
      expect(formatOf('Europe/Berlin')).toBe(often)
    }
    expect(formatOf('Asia/Tokyo')).not.toBe(once)
  })

  test('of unknown zones throw and displace nothing', () => {
    const formatOf = zoneFormats('en', { hour: 'numeric' })
    const known = formatOf('Europe/Berlin')
    for (let at = 0; at < 100; at++) expect(() => formatOf(`Nowhere/Place${at}`)).toThrow(RangeError)
    expect(formatOf('Europe/Berlin')).toBe(known)
  })
})
