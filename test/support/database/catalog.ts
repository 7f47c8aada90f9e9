import { randomUUID } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import type { Db } from '../../../server/db/database'
import { type Entry, type EntryCaps, type Written, writeEntry } from '../../../server/discovery/entry-queries'

/** Caps that no test reaches. */
export const HIGH_CAPS: EntryCaps = { ofOwner: 1_000_000, perDay: false, ofHost: 1_000_000, ofOwnerOnFullHost: 0 }

let entries = 0

/** An entry of a new tenant with a unique URL; fields can be overridden. */
export function newEntry(changes: Partial<Entry> = {}, accept: Partial<Entry['accept']> = {}): Entry {
  const url = changes.url ?? `https://shop-${++entries}.com/thing`
  return {
    id: uuidv7(),
    environment: 'testnet',
    type: 'http',
    url,
    host: new URL(url).host,
    owner: `tenant:${randomUUID()}`,
    class: 'production',
    x402Version: 2,
    description: 'A thing',
    mimeType: 'application/json',
    serviceName: null,
    tags: [],
    iconUrl: null,
    bazaar: { info: { input: { type: 'http', method: 'GET' } }, schema: {} },
    digest: 'first',
    words: { name: url.replace(/\W+/g, ' '), about: changes.description ?? 'A thing' },
    ...changes,
    accept: {
      scheme: 'exact',
      network: 'eip155:84532',
      symbol: 'USDC',
      payTo: '0x2222222222222222222222222222222222222222',
      requirements: {
        scheme: 'exact',
        network: 'eip155:84532',
        amount: '1000',
        maxAmountRequired: '1000',
        resource: url,
        description: 'A thing',
        mimeType: 'application/json',
        payTo: '0x2222222222222222222222222222222222222222',
        maxTimeoutSeconds: 60,
        asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
        extra: {},
      },
      ...accept,
    },
  }
}

/** Writes an entry as the outbox does. The effect is leased: the worker of a running app leaves it alone. */
export async function list(db: Db, entry: Entry, caps: EntryCaps = HIGH_CAPS): Promise<Written> {
  const nextAt = new Date(Date.now() + 3_600_000)
  const { id } = await db.outbox.create({ data: { kind: 'catalog', key: randomUUID(), nextAt } })
  return writeEntry(db, id, entry, caps)
}
