/** The most formats that are kept: each takes 35 KB, and people of a service live in fewer zones. */
const KEPT_MAX = 64

/**
 * The formats of time zones by name, in any letter case; the ones used last are kept. Throws a `RangeError` for an unknown zone, and keeps
 * nothing of it.
 */
export function zoneFormats(locale: string, options: Intl.DateTimeFormatOptions): (zone: string) => Intl.DateTimeFormat {
  const kept = new Map<string, Intl.DateTimeFormat>()
  return (zone) => {
    // Names ignore case, so a stranger has millions of spellings of each.
    const name = zone.toLowerCase()
    const format = kept.get(name) ?? new Intl.DateTimeFormat(locale, { ...options, timeZone: zone })
    // A map lists its keys in the order in which they were set.
    kept.delete(name)
    kept.set(name, format)
    const [oldest] = kept.keys()
    if (kept.size > KEPT_MAX && oldest !== undefined) kept.delete(oldest)
    return format
  }
}
