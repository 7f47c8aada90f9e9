// JSON has no bigints, but its numbers may be of any length, and nodes write 64 bits so.
const mark = '\u0001'
const marked = /"\\u0001(\d+)\\u0001"/g

/** JSON in which a bigint is a number with all its digits. */
export function toJson(value: unknown): string {
  const text = JSON.stringify(value, (_key, part: unknown) => (typeof part === 'bigint' ? `${mark}${part}${mark}` : part))
  return text.replace(marked, '$1')
}
