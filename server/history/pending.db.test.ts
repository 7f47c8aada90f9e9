import { describe, expect, test } from 'vitest'
import { withoutLimit } from '../../test/support/database/database'
import { includeOne, newBroadcast, newClaimed, newLanding } from '../../test/support/database/ledger'
import { fixture } from '../../test/support/fixture'
import { administrator, dataOf, merchant, pagesOf, wallet } from '../../test/support/service/dashboard'
import { newOwner, startReading, tenantOf } from '../../test/support/service/history'
import { chargingKeysOf, ofSubject } from '../accounts/tenant-queries'
import { sql } from '../db/sql'
import type { Claim } from '../ledger/statements/claim-statement'
import type { Principal } from '../sign-in/principal'
import { pendingQuery } from './pending-queries'

const harness = fixture(startReading)

type Pending = { id: string; state: string; txHash: string; errorReason: string | null }

const pendingOf = async (who: Principal, reader: string, input: object = {}) =>
  dataOf<{ payments: Pending[]; more: boolean }>(
    await pagesOf(harness.app, who).query('settlements.pending', { reader, ...input }),
  )
const idsOf = async (...asked: Parameters<typeof pendingOf>) => (await pendingOf(...asked)).payments.map(({ id }) => id)

/** A merchant of the identity provider with claims of its key. */
async function newMerchant(data: { historyEnabled?: boolean } = {}) {
  const ownerId = newOwner()
  const tenantId = await tenantOf(harness.app.db, ownerId, 'oidc', data)
  const claim: Partial<Claim> = { tenantId, caller: `tenant:${tenantId}`, party: `owner:oidc:${ownerId}:growth` }
  return { who: merchant(ownerId), ownerId, tenantId, claim }
}

async function age(id: string): Promise<string> {
  await harness.app.db.$executeRaw`UPDATE "Settlement" SET "createdAt" = now() - interval '1 minute' WHERE "id" = ${id}::uuid`
  return id
}

/** An old claim without an outcome. */
const stuck = async (claim: Partial<Claim>) => age((await newClaimed(harness.app.db, claim)).id)

describe('a payment without an outcome', () => {
  test('is listed for its merchant, its payer and the operator once its settle has been answered', async () => {
    const { who, claim } = await newMerchant()
    const payer = '0x5555555555555555555555555555555555555555'
    const { id } = await newClaimed(harness.app.db, { ...claim, payer })
    expect(await idsOf(who, 'merchant')).toEqual([])
    await age(id)
    expect(await idsOf(who, 'merchant')).toEqual([id])
    expect(await idsOf(wallet(payer), 'payer')).toEqual([id])
    expect(await idsOf(administrator, 'admin')).toContain(id)
  })

  test('is in no list of others, and has no details for them', async () => {
    const [own, other] = [await newMerchant(), await newMerchant()]
    const id = await stuck(other.claim)
    expect(await idsOf(own.who, 'merchant', { key: other.tenantId })).toEqual([])
    expect(await idsOf(wallet('0x6666666666666666666666666666666666666666'), 'payer')).toEqual([])
    const details = (who: Principal) => pagesOf(harness.app, who).query('settlements.details', { reader: 'merchant', id })
    expect(await details(own.who)).toMatchObject({ status: 404 })
    expect(dataOf(await details(other.who))).toMatchObject({ id, pending: true, state: 'CLAIMED', errorReason: null })
  })

  test('names its transaction, and leaves the list when it lands', async () => {
    const { who, claim } = await newMerchant()
    const sent = await newBroadcast(harness.app.db, claim)
    const id = await age(sent.settlementId)
    expect((await pendingOf(who, 'merchant')).payments).toMatchObject([{ id, state: 'BROADCAST', errorReason: null }])
    await includeOne(harness.app.db, sent, newLanding(sent.hash))
    expect(await idsOf(who, 'merchant')).toEqual([])
    const details = await pagesOf(harness.app, who).query('settlements.details', { reader: 'merchant', id })
    expect(dataOf(details)).toMatchObject({ settlementId: id, pending: false, success: true })
  })

  test('obeys the filters that it can match, and no filter for outcomes or words finds it', async () => {
    const { who, tenantId, claim } = await newMerchant()
    const id = await stuck({ ...claim, resource: 'https://shop.test/a' })
    const matching = [
      { environment: 'testnet' },
      { network: 'eip155:84532' },
      { key: tenantId },
      { asset: 'USDC' },
      { resource: 'https://shop.test/a' },
      { from: '2026-01-01T00:00:00Z' },
    ]
    for (const filter of matching) expect([filter, await idsOf(who, 'merchant', filter)]).toEqual([filter, [id]])
    const others = [
      { environment: 'mainnet' },
      { network: 'eip155:8453' },
      { resource: 'https://shop.test/b' },
      { status: 'failed' },
      { reason: ['insufficient_funds'] },
      { search: 'shop' },
      { to: '2026-01-01T00:00:00Z' },
    ]
    for (const filter of others) expect([filter, await idsOf(who, 'merchant', filter)]).toEqual([filter, []])
  })

  test('of a key without history is in no list', async () => {
    const { who, claim } = await newMerchant({ historyEnabled: false })
    await stuck(claim)
    expect(await idsOf(who, 'merchant')).toEqual([])
  })

  test('is one of the ten newest, and the list says that there are more', async () => {
    const { who, claim } = await newMerchant()
    for (let at = 0; at < 11; at += 1) await stuck(claim)
    const { payments, more } = await pendingOf(who, 'merchant')
    expect([payments.length, more]).toEqual([10, true])
  })
})

test("an owner's are found by its parties, among many settled ones and those of others", async () => {
  const { ownerId, claim } = await newMerchant()
  const other = await newMerchant()
  const id = await stuck(claim)
  const { db } = harness.app
  const copies = (count: number, state: string) => `
    INSERT INTO "Settlement" SELECT (json_populate_record(s, json_build_object('id', gen_random_uuid(), 'state', '${state}',
      'intentKey', '\\x' || md5('${state}' || n), 'party', 'tenant:' || n, 'tenantId', '${other.tenantId}'))).*
    FROM "Settlement" s, generate_series(1, ${count}) n WHERE s."id" = '${id}'`
  await withoutLimit(harness.database.url, [
    ['ALTER TABLE "Settlement" DISABLE TRIGGER USER'],
    [copies(5_000, 'REJECTED')],
    [copies(1_000, 'CLAIMED')],
    ['ALTER TABLE "Settlement" ENABLE TRIGGER USER'],
    ['ANALYZE "Settlement"'],
  ])
  const query = pendingQuery({ owner: chargingKeysOf(ofSubject(ownerId)) }, 11)
  if (!query) throw new Error('no query')
  const plan = await db.queryUnprepared<{ 'QUERY PLAN': unknown }>(sql`EXPLAIN (FORMAT JSON) ${query}`)
  expect(JSON.stringify(plan)).toContain('Settlement_party_idx')
})
