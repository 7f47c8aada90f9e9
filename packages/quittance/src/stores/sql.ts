import { openedOnce } from '../opened-once'
import { KEPT_MS, PRUNED_EVERY_MS, type ServedStore } from './store'

/** Runs one statement with its values, as `pool.query` of `pg` does: `(text, values) => pool.query(text, values)`. */
export type SqlQuery = (text: string, values: (string | number)[]) => Promise<{ rows: unknown[] }>

/** The row whose time is that of the table. */
const SINCE = 'since'

/** Keeps served payments in a table of PostgreSQL, for any number of processes. It makes the table at first use. */
export function sqlStore(query: SqlQuery, { table = 'quittance_served', now = Date.now } = {}): ServedStore {
  if (!/^[a-z_][a-z0-9_.]*$/.test(table)) throw new Error('the name of a table has small letters, digits and underscores')
  let prunedAt = 0
  const prune = async () => {
    if (now() - prunedAt < PRUNED_EVERY_MS) return
    prunedAt = now()
    await query(`DELETE FROM ${table} WHERE key <> $1 AND at < $2`, [SINCE, now() - KEPT_MS])
  }
  const opened = openedOnce(async () => {
    await query(`CREATE TABLE IF NOT EXISTS ${table} (key text PRIMARY KEY, value text NOT NULL, at bigint NOT NULL)`, [])
    await query(`INSERT INTO ${table} (key, value, at) VALUES ($1, '', $2) ON CONFLICT DO NOTHING`, [SINCE, now()])
  })
  const rowsOf = async (text: string, values: (string | number)[]) => {
    await opened()
    await prune()
    return (await query(text, values)).rows
  }
  const read = async (column: 'value' | 'at', key: string): Promise<unknown> => {
    const [row] = await rowsOf(`SELECT ${column} FROM ${table} WHERE key = $1`, [key])
    return typeof row === 'object' && row !== null ? Reflect.get(row, column) : null
  }
  return {
    since: async () => Number(await read('at', SINCE)),
    async get(key) {
      const value = await read('value', key)
      return value === null ? null : String(value)
    },
    async replace(key, before, after) {
      const changed =
        before === null
          ? await rowsOf(`INSERT INTO ${table} (key, value, at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING key`, [
              key,
              after,
              now(),
            ])
          : await rowsOf(`UPDATE ${table} SET value = $2, at = $3 WHERE key = $1 AND value = $4 RETURNING key`, [
              key,
              after,
              now(),
              before,
            ])
      return changed.length === 1
    },
  }
}
