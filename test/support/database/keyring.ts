import { createKeyring, mintKey } from '../../../server/accounts/keyring'
import { createRateLimit } from '../../../server/accounts/rate-limit'
import type { Db } from '../../../server/db/database'
import { testLog } from '../logs'
import { newTenantOf } from './ledger'

/** A key in the database with its own tenant. */
export async function newKey(db: Db) {
  const { secret, id, hash, prefix } = mintKey()
  const tenantId = await newTenantOf(db)
  await db.apiKey.create({ data: { id, tenantId, hash: Buffer.from(hash), prefix } })
  return { secret, id, tenantId }
}

type Statement = 'read' | 'write'

/** The database, with a callback before each raw statement that can delay it or throw. */
export function watched(db: Db, onStatement: (statement: Statement) => void | Promise<void>): Db {
  const spied: Record<PropertyKey, Statement> = { query: 'read', execute: 'write' }
  return new Proxy(db, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name, target)
      const statement = spied[name]
      if (statement === undefined || typeof method !== 'function') return method
      return async (...args: unknown[]) => {
        await onStatement(statement)
        return Reflect.apply(method, target, args)
      }
    },
  })
}

/** A new keyring, and counts of its statements. */
export function countingKeyring(db: Db) {
  const counts = { read: 0, write: 0 }
  const keyring = createKeyring(
    watched(db, (statement) => void counts[statement]++),
    createRateLimit(),
    testLog(),
  )
  return { keyring, counts }
}
