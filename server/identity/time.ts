const RFC_3339 =
  /^(\d{4}-(?:0[1-9]|1[0-2])-(\d{2}))T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/

/** A time as RFC 3339 writes it, in Unix milliseconds. NaN for anything else, days that no month has included. */
export function readTime(text: string | undefined): number {
  const [, date = '', day = ''] = RFC_3339.exec(text ?? '') ?? []
  // Parsers carry the 30th of February over to March.
  return new Date(`${date}T00:00:00Z`).getUTCDate() === Number.parseInt(day, 10) ? Date.parse(text ?? '') : Number.NaN
}
