/** A statement's result: its rows by column, and the number of affected rows. */
export type Result = { rows: Record<string, unknown>[]; affected: number }

/** The database's error for a failed statement. */
export type Complaint = { code: string; message: string }

/** PostgreSQL frontend messages that run a named statement with these values as text. Null SQL means that it is parsed already. */
export function request(name: string, sql: string | null, values: readonly unknown[]): Uint8Array {
  const parse = sql === null ? [] : [message('P', text(name), text(sql), int16(0)), message('D', Buffer.from('S'), text(name))]
  const bound = values.map((value) => field(written(value)))
  const bind = message('B', text(''), text(name), int16(0), int16(values.length), ...bound, int16(0))
  return Buffer.concat([...parse, bind, message('E', text(''), int32(0)), message('S')])
}

const text = (value: string) => Buffer.from(`${value}\0`)
const int16 = (value: number) => Buffer.from([value >> 8, value & 255])
const int32 = (value: number) => Buffer.from([value >> 24, (value >> 16) & 255, (value >> 8) & 255, value & 255])

function message(type: string, ...parts: Uint8Array[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 4)
  return Buffer.concat([Buffer.from(type), int32(length), ...parts])
}

function field(value: string | null): Buffer {
  if (value === null) return int32(-1)
  const bytes = Buffer.from(value)
  return Buffer.concat([int32(bytes.length), bytes])
}

/** A value in PostgreSQL's text format; null stays null. */
function written(value: unknown): string | null {
  if (value === null || value === undefined) return null
  if (value instanceof Date) return value.toISOString()
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`
  if (Array.isArray(value)) return `{${value.map(element).join()}}`
  return String(value)
}

function element(value: unknown): string {
  const inside = written(value)
  return inside === null ? 'NULL' : `"${inside.replace(/["\\]/g, '\\$&')}"`
}

/** A result column with its parser. */
export type Column = { name: string; read: (value: string) => unknown }

/** Parses the backend's messages. Only the first answer of a named statement has the columns. */
export function answer(
  bytes: Uint8Array,
  known: Column[] | undefined,
): { columns: Column[]; result: Result } | { error: Complaint } {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const rows: Record<string, unknown>[] = []
  let columns = known ?? []
  let affected = 0
  let error: Complaint | null = null
  for (let at = 0; at < view.length; ) {
    const type = String.fromCharCode(view[at] ?? 0)
    const end = at + 1 + view.readInt32BE(at + 1)
    const body = view.subarray(at + 5, end)
    if (type === 'T') columns = columnsOf(body)
    else if (type === 'D') rows.push(rowOf(body, columns))
    else if (type === 'C') affected = Number(/(\d+)\0$/.exec(body.toString())?.[1] ?? 0)
    else if (type === 'E') error = complaintOf(body)
    at = end
  }
  return error ? { error } : { columns, result: { rows, affected } }
}

function columnsOf(body: Buffer): Column[] {
  const columns: Column[] = []
  let at = 2
  for (let left = body.readInt16BE(0); left > 0; left--) {
    const end = body.indexOf(0, at)
    const name = body.toString('utf8', at, end)
    columns.push({ name, read: READERS[body.readInt32BE(end + 7)] ?? ((value) => value) })
    at = end + 19
  }
  return columns
}

function rowOf(body: Buffer, columns: readonly Column[]): Record<string, unknown> {
  const row: Record<string, unknown> = {}
  let at = 2
  for (const { name, read } of columns) {
    const length = body.readInt32BE(at)
    at += 4
    row[name] = length < 0 ? null : read(body.toString('utf8', at, at + length))
    at += Math.max(length, 0)
  }
  return row
}

function complaintOf(body: Buffer): Complaint {
  const fields = new Map(
    body
      .toString()
      .split('\0')
      .map((part) => [part.slice(0, 1), part.slice(1)]),
  )
  return { code: fields.get('C') ?? '', message: fields.get('M') ?? '' }
}

const list = (value: string) => (value === '{}' ? [] : value.slice(1, -1).split(','))

/** Parsers by type oid, as in `db/statements.ts`; other types are text. */
const READERS: Record<number, (value: string) => unknown> = {
  16: (value) => value === 't',
  17: (value) => new Uint8Array(Buffer.from(value.slice(2), 'hex')),
  20: BigInt,
  21: Number,
  23: Number,
  701: Number,
  114: JSON.parse,
  3802: JSON.parse,
  1009: list,
  2951: list,
  1082: (value) => new Date(value),
  1184: (value) => new Date(value),
}
