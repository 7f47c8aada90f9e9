import { randomUUID } from 'node:crypto'
import pg from 'pg'
import type { Address } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { connect } from '../devnet/client'
import { networks } from '../devnet/networks'
import { connect as connectDatabase } from '../server/db/database'
import { dirtyDays, noteDay, rollDay } from '../server/sums/rollup-queries'
import { service } from './test-service'

const MOVE = `
  WITH gone AS (DELETE FROM "History" WHERE "ownerId" = $1 RETURNING to_jsonb("History") AS row),
    late AS (SELECT jsonb_build_object('createdAt', date_trunc('day', now(), 'UTC') - interval '1 hour') AS day)
  INSERT INTO "History" SELECT (jsonb_populate_record(NULL::"History", row || day)).* FROM gone, late`

/** Moves a merchant's settlements to yesterday, because figures cover completed days only. */
export function moveToYesterday(owner: string): Promise<void> {
  // Inserted again: triggers sum days on insert and delete, not on update.
  return inDatabase(MOVE, [owner])
}

const SETTLED = `
  INSERT INTO "History" ("id", "settlementId", "createdAt", "ownerKind", "ownerId", "tenantId", "payer", "payTo", "network", "resource", "plan", "amount",
    "success", "txHash", "errorReason")
  SELECT gen_random_uuid(), CASE WHEN n % 4 = 0 THEN NULL ELSE gen_random_uuid() END, now() - n * interval '1 hour', t."ownerKind", t."ownerId", t."id", '0x' || lpad(to_hex(n), 40, 'a'),
    '0x209693bc6afc0c5328ba36faf03c514ef312287c', CASE WHEN n % 3 = 0 THEN 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1' ELSE 'eip155:84532' END,
    'https://shop.test/' || (ARRAY['weather', 'news', 'prices'])[n % 3 + 1], t."plan", n * 1000, n % 4 <> 0,
    CASE WHEN n % 4 = 0 THEN '' ELSE '0x' || lpad(to_hex(n), 64, 'b') END, CASE WHEN n % 4 = 0 THEN 'insufficient_funds' END
  FROM "Tenant" t, generate_series(1, $2::int) n WHERE t."ownerId" = $1`

/** Gives each key of a merchant settlements, one an hour; every fourth was refused, and amounts grow with age. */
export function addSettlements(owner: string, count: number): Promise<void> {
  return inDatabase(SETTLED, [owner, String(count)])
}

/** Makes those of a merchant's settlements that are of an even number of tenths of a cent payments in another token. */
export function payInToken(owner: string, symbol: string): Promise<void> {
  return inDatabase(`UPDATE "History" SET "symbol" = $2 WHERE "ownerId" = $1 AND "amount" % 2000 = 0`, [owner, symbol])
}

const CHANNELS = `
  INSERT INTO "Channel" ("network", "id", "tenantId", "config", "payer", "receiver", "token", "signed", "charged", "presented", "balance", "claimed",
    "syncedBlock", "createdAt")
  SELECT 'eip155:84532', '0x' || md5(t."id" || n::text) || md5(n::text || t."id"), t."id", jsonb_build_object('withdrawDelay', 900),
    COALESCE(lower($3), '0x' || lpad(to_hex(n), 40, 'd')), '0x209693bc6afc0c5328ba36faf03c514ef312287c', '0x036cbd53842c5426634e7929541ec2318f3dcf7e', n * 1000, n * 1000, n * 1000, n * 1000, n * 1000,
    1, now() - n * interval '1 hour'
  FROM "Tenant" t, generate_series(1, $2::int) n WHERE t."ownerId" = $1`

/** Gives the key of a merchant channels, all claimed, one an hour; their amounts grow with age. Each has a payer of its own, or this one. */
export function addChannels(owner: string, count: number, payer?: Address): Promise<void> {
  return inDatabase(CHANNELS, [owner, String(count), payer ?? null])
}

const QUARANTINED = `
  INSERT INTO "Lane" ("id", "network", "address", "class", "status", "nextNonce", "quarantinedAt", "quarantineWhy")
  VALUES ($1::uuid, $2, lower($3), 'production', 'quarantined', 0, now(), 'the chain knows transactions that the ledger does not')`

/** A quarantined signer with `sent` transactions that the ledger does not know, as after a restore. */
export async function quarantinedSigner(sent: number): Promise<Address> {
  const address = privateKeyToAddress(generatePrivateKey())
  await connect(84532, service().sepoliaUrl).setNonce({ address, nonce: sent })
  await inDatabase(QUARANTINED, [randomUUID(), networks[84532].id, address])
  return address
}

async function inDatabase(statement: string, parameters: (string | null)[]): Promise<void> {
  const client = new pg.Client({ connectionString: service().databaseUrl })
  await client.connect()
  try {
    await client.query(statement, parameters)
  } finally {
    await client.end()
  }
}

/** Sums the completed days of a tenant, as the service does within a minute. */
export async function sumDays(tenantId: string): Promise<void> {
  const { db, close } = connectDatabase({ url: service().databaseUrl })
  try {
    while (await noteDay(db)) {}
    for (const day of await dirtyDays(db, 1_000)) if (day.tenantId === tenantId) await rollDay(db, day)
  } finally {
    await close()
  }
}
