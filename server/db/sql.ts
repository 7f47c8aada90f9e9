import { createHash } from 'node:crypto'

/** What a statement takes as a parameter. A list is one parameter, an array of PostgreSQL. */
export type SqlValue = string | number | bigint | boolean | null | Date | Uint8Array | readonly SqlValue[]

/** A piece of SQL: its text in parts, and between each two of them a parameter or another piece. */
export type Sql = { readonly [PIECE]: true; parts: readonly string[]; between: readonly (SqlValue | Sql)[] }

// A brand instead of a class: bundles of pages hold other copies of this module.
const PIECE = Symbol.for('quittance.sql')

/** Whether a value is a piece of SQL. A parameter from outside cannot be one: no JSON has the brand. */
export const isSql = (value: object | SqlValue): value is Sql => typeof value === 'object' && value !== null && PIECE in value

const pieceOf = (parts: readonly string[], between: readonly (SqlValue | Sql)[]): Sql => ({ [PIECE]: true, parts, between })

/** A statement for the driver: its text with numbered parameters, a name that stands for this text, and its values. */
export type Statement = { text: string; name: string; values: SqlValue[] }

/** A piece of SQL. What stands in `${}` is a parameter, never text; a piece in `${}` becomes part of the text. */
export function sql(parts: TemplateStringsArray, ...between: readonly (SqlValue | Sql)[]): Sql {
  return pieceOf(parts, between)
}

/** Nothing, for a place that holds a piece only sometimes. */
export const empty = pieceOf([''], [])

/** Pieces with a separator such as ` AND ` between them. Each number of them is another statement, so their number must be small. */
export function join(pieces: readonly Sql[], separator: string): Sql {
  const shape = `${pieces.length} ${separator}`
  const parts = joinParts.get(shape) ?? ['', ...Array<string>(Math.max(pieces.length - 1, 0)).fill(separator), '']
  joinParts.set(shape, parts)
  return pieces.length === 0 ? empty : pieceOf(parts, pieces)
}

const joinParts = new Map<string, readonly string[]>()

// The texts that were composed, found by what they were composed of: the same templates in the same places have the same text.
// The code bounds them: a list is one parameter (`unnest`, `ANY`), and joined are only the filters, owner kinds and networks that exist.
type Shape = { next: Map<readonly string[] | typeof PARAMETER, Shape>; text?: string; name?: string }
const PARAMETER = Symbol('parameter')
const root: Shape = { next: new Map() }

/** The text of a piece and its pieces, with their parameters numbered through. Composed once, however often it is used. */
export function statementOf(piece: Sql): Statement {
  const values: SqlValue[] = []
  const shape = follow(root, piece, values)
  shape.text ??= textOf(piece, { count: 0 })
  shape.name ??= createHash('sha256').update(shape.text).digest('base64url').slice(0, 22)
  return { text: shape.text, name: shape.name, values }
}

function follow(from: Shape, { parts, between }: Sql, values: SqlValue[]): Shape {
  let shape = step(from, parts)
  for (const item of between) {
    if (isSql(item)) shape = follow(shape, item, values)
    else {
      values.push(item)
      shape = step(shape, PARAMETER)
    }
  }
  return shape
}

function step({ next }: Shape, by: readonly string[] | typeof PARAMETER): Shape {
  const known = next.get(by)
  if (known) return known
  const shape: Shape = { next: new Map() }
  next.set(by, shape)
  return shape
}

function textOf({ parts, between }: Sql, parameters: { count: number }): string {
  const inner = (item: SqlValue | Sql) => (isSql(item) ? textOf(item, parameters) : `$${++parameters.count}`)
  return parts.map((part, index) => part + (index < between.length ? inner(between[index] ?? null) : '')).join('')
}

/** Ids as the inside of an SQL list: the same text for any number of them, so that the statement is planned once. */
export function uuids(ids: readonly string[]): Sql {
  return sql`SELECT unnest(${ids}::uuid[])`
}

/** Deletes up to `limit` rows of a table whose time `at` is before another, oldest first, beside other instances. Returns how many. */
export function pruning(table: Sql, key: Sql, at: Sql, before: Sql) {
  return (db: { execute(statement: Sql): Promise<number> }, limit: number): Promise<number> =>
    db.execute(sql`
      DELETE FROM ${table} WHERE (${key}) IN (
        SELECT ${key} FROM ${table} WHERE ${at} < ${before} ORDER BY ${at} LIMIT ${limit} FOR UPDATE SKIP LOCKED
      )`)
}

/**
 * A condition that always holds. A statement that changes a row under it does not wait for the disk: a crash of the database may undo it.
 * Only for rows that prove nothing about money, or nothing before a later statement waits for the disk: that one brings them there, too.
 */
export const withoutDisk = sql`set_config('synchronous_commit', 'off', true) = 'off'`
