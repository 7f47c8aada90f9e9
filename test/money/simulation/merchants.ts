import { sha256 } from '../../../server/base/hash'
import { webhookEvents } from '../../../server/webhooks/events'
import type { Prefix } from '../../../server/x402/networks/networks'
import type { Database } from './database'

/** A caller of settle: an IP address in the sandbox, an API key elsewhere. */
export type Merchant = {
  name: string
  prefix: Prefix
  ip: string
  key: string
  /** The caller id that may retry its settlements. */
  caller: string
  /** The quota subject of its settlements, with its limit. */
  subject: string
  limit: number
  /** Its tenant and key, of one with a key. */
  owner?: { tenantId: string; key: { id: string; version: number } }
}

const keyOf = (letter: string) => `qt_${letter.repeat(43)}`
const idOf = (digit: number) => `00000000-0000-0000-0000-0000000000a${digit}`

/** The merchants of every simulation. One has a small quota, and one uses flash. */
export const MERCHANTS = {
  sandbox: {
    name: 'sandbox',
    prefix: 'sandbox',
    ip: '10.0.0.1',
    key: '',
    caller: 'ip:10.0.0.1',
    subject: 'ip:10.0.0.1',
    limit: 1_000,
  },
  other: {
    name: 'other',
    prefix: 'sandbox',
    ip: '10.0.0.2',
    key: '',
    caller: 'ip:10.0.0.2',
    subject: 'ip:10.0.0.2',
    limit: 1_000,
  },
  keyed: {
    name: 'keyed',
    prefix: 'v1',
    ip: '10.0.0.3',
    key: keyOf('k'),
    caller: `tenant:${idOf(1)}`,
    subject: `tenant:${idOf(1)}`,
    limit: 100_000,
    owner: { tenantId: idOf(1), key: { id: idOf(1), version: 0 } },
  },
  small: {
    name: 'small',
    prefix: 'v1',
    ip: '10.0.0.4',
    key: keyOf('s'),
    caller: `tenant:${idOf(2)}`,
    subject: `tenant:${idOf(2)}`,
    limit: 3,
  },
  flash: {
    name: 'flash',
    prefix: 'flash',
    ip: '10.0.0.5',
    key: keyOf('k'),
    caller: `tenant:${idOf(1)}`,
    subject: `tenant:${idOf(1)}`,
    limit: 100_000,
  },
} as const satisfies Record<string, Merchant>

/** Writes the merchants with keys, all of one owner, and a webhook for all their settlements. */
export function enter(database: Database): void {
  for (const [id, key, quota] of [
    [idOf(1), MERCHANTS.keyed.key, null],
    [idOf(2), MERCHANTS.small.key, MERCHANTS.small.limit],
  ]) {
    database.rows(
      `INSERT INTO "Tenant" ("id", "ownerKind", "ownerId", "plan", "settlementQuota", "rps") VALUES ($1::uuid, 'system', 'quittance', 'growth', $2::int, 1000)`,
      id,
      quota,
    )
    database.rows(
      `INSERT INTO "ApiKey" ("id", "tenantId", "hash", "prefix") VALUES ($1::uuid, $1::uuid, $2::bytea, 'qt_test')`,
      id,
      sha256(String(key)),
    )
  }
  database.rows(
    `INSERT INTO "WebhookEndpoint" ("id", "ownerKind", "ownerId", "url", "events", "tenantIds", "secret")
      VALUES ($1::uuid, 'system', 'quittance', 'https://merchant.test/hook', $2::text[], '{}', '')`,
    idOf(3),
    webhookEvents,
  )
}
