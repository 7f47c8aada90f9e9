import { describe, expect, test } from 'vitest'
import { freshDatabase } from '../../../test/support/database/database'
import { includeOne, newBroadcast, newClaimed, newHash, newLanding } from '../../../test/support/database/ledger'
import { newEndpoint } from '../../../test/support/database/webhooks'
import { fixture } from '../../../test/support/fixture'
import { newOwner, tenantOf } from '../../../test/support/service/history'
import { handOver, recordRemoteFailed } from '../remote/statements'
import { commitSigned, recordSvmFailed, recordSvmIncluded } from '../svm/statements'
import type { Claim } from './claim-statement'
import { recordFailed, recordPreconfirmed, recordUnlanded } from './landings'

const database = fixture(freshDatabase)

const KEY = new Uint8Array(32)
const URL = 'https://merchant.com/hook'
const REVERTED = { to: 'REVERTED', counts: 'everywhere', reason: 'invalid_exact_evm_transaction_failed' } as const

/** A tenant of a merchant who has an endpoint; fields of the endpoint can be overridden. */
async function listener(data: Parameters<typeof newEndpoint>[2] | object = {}, tenant: { historyEnabled?: boolean } = {}) {
  const ownerId = newOwner()
  const tenantId = await tenantOf(database.db, ownerId, 'oidc', tenant)
  await newEndpoint(database.db, KEY, { url: URL, ownerId, ...data })
  return { ownerId, tenantId }
}

async function left(settlementId: string): Promise<unknown[]> {
  const rows = await database.db.outbox.findMany({
    where: { kind: 'webhooks', key: { endsWith: settlementId } },
    orderBy: { createdAt: 'asc' },
  })
  return rows.map(({ data }) => data)
}
const typesLeft = async (settlementId: string) => (await left(settlementId)).map((data) => Reflect.get(Object(data), 'type'))

const broadcast = (claim: Partial<Claim>) => newBroadcast(database.db, claim)
const fail = (sent: Awaited<ReturnType<typeof broadcast>>) =>
  recordFailed(database.db, sent, { ...REVERTED, txHash: sent.hash, landing: newLanding(sent.hash, { succeeded: false }) })

describe('a terminal state enqueues a webhook', () => {
  test('with the settlement at that moment, in the statement that records it', async () => {
    const { tenantId } = await listener()
    const sent = await broadcast({ tenantId, resource: 'https://merchant.com/weather' })
    expect(await left(sent.settlementId)).toEqual([])
    await includeOne(database.db, sent, newLanding(sent.hash))
    expect(await left(sent.settlementId)).toEqual([
      {
        type: 'payment.settled',
        at: expect.stringMatching(/^\d{4}-/),
        settlementId: sent.settlementId,
        tenantId,
        logged: true,
        txHash: sent.hash,
        network: 'eip155:84532',
        amount: '1000',
        maximum: null,
        symbol: 'USDC',
        payer: sent.claim.payer,
        payTo: sent.claim.payTo,
        resource: 'https://merchant.com/weather',
        plan: 'growth',
        reason: null,
        detail: null,
        block: 10,
        logIndex: 3,
        nonce: null,
        state: 'INCLUDED',
      },
    ])
  })

  test('as failed, with the reason and the transaction', async () => {
    const { tenantId } = await listener()
    const sent = await broadcast({ tenantId })
    await fail(sent)
    expect(await left(sent.settlementId)).toMatchObject([
      { type: 'payment.failed', txHash: sent.hash, reason: 'invalid_exact_evm_transaction_failed' },
    ])
  })

  test('as settled once, and as reversed when the chain takes it back', async () => {
    const { tenantId } = await listener()
    const sent = await broadcast({ tenantId })
    await recordPreconfirmed(database.db, sent.slotId, [sent.settlementId], sent.hash)
    // The first one is done: a second would be a separate row.
    await database.db.outbox.updateMany({ where: { kind: 'webhooks' }, data: { doneAt: new Date() } })
    await includeOne(database.db, sent, newLanding(sent.hash))
    expect(await typesLeft(sent.settlementId)).toEqual(['payment.settled'])
    await recordUnlanded(database.db, sent)
    await includeOne(database.db, sent, newLanding(sent.hash))
    await recordUnlanded(database.db, sent)
    expect(await typesLeft(sent.settlementId)).toEqual(['payment.settled'])
    await fail(sent)
    expect(await left(sent.settlementId)).toMatchObject([
      { type: 'payment.settled', reason: null },
      { type: 'payment.reversed', reason: 'settlement_reversed' },
    ])
  })

  test('for any submitter: another facilitator, or a Solana fee payer', async () => {
    const { tenantId } = await listener()
    const { db } = database
    const remote = await newClaimed(db, { tenantId, laneClass: 'remote' })
    await handOver(db, remote.id, { sinceBlock: 7n, senders: [], checkInMs: 1_000 })
    await recordRemoteFailed(db, remote.id, {
      to: 'EXPIRED',
      reason: 'invalid_exact_evm_payload_authorization_valid_before',
      txHash: '',
    })
    expect(await typesLeft(remote.id)).toEqual(['payment.failed'])
    const [landed, expired] = await Promise.all(
      [0, 1].map(async () => {
        const claim = await newClaimed(db, { tenantId, network: 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1' })
        const signed = { signature: newHash(), raw: 'AQ==', fee: 10_000n, sinceSlot: 7n, checkInMs: 1_000 }
        await commitSigned(db, { settlementId: claim.id, ...signed })
        return { id: claim.id, signature: signed.signature }
      }),
    )
    await recordSvmIncluded(db, [{ settlementId: landed?.id ?? '', slot: 8n }], 1_000)
    await recordSvmFailed(db, { to: 'EXPIRED', counts: 'everywhere', reason: 'settle_exact_svm_block_height_exceeded' }, [
      { settlementId: expired?.id ?? '', slot: null },
    ])
    expect(await left(landed?.id ?? '')).toMatchObject([{ type: 'payment.settled', txHash: landed?.signature }])
    expect(await left(expired?.id ?? '')).toMatchObject([
      { type: 'payment.failed', reason: 'settle_exact_svm_block_height_exceeded' },
    ])
  })

  test('also of a key that keeps no history, which is noted with it', async () => {
    const { tenantId } = await listener({}, { historyEnabled: false })
    const sent = await broadcast({ tenantId })
    await includeOne(database.db, sent, newLanding(sent.hash))
    expect(await left(sent.settlementId)).toMatchObject([{ type: 'payment.settled', logged: false }])
  })
})

describe('nothing is enqueued', () => {
  const enqueuedFor = async (data: object, tenantId?: string) => {
    const made = await listener(data)
    const sent = await broadcast({ tenantId: tenantId ?? made.tenantId })
    await includeOne(database.db, sent, newLanding(sent.hash))
    return typesLeft(sent.settlementId)
  }

  test('without an endpoint', async () => {
    const tenantId = await tenantOf(database.db, newOwner())
    expect(await enqueuedFor({}, tenantId)).toEqual([])
  })

  test('for an endpoint that is disabled, or of other events or other keys', async () => {
    expect(await enqueuedFor({ disabledAt: new Date() })).toEqual([])
    expect(await enqueuedFor({ events: ['payment.failed', 'payment.reversed'] })).toEqual([])
    expect(await enqueuedFor({ tenantIds: [(await listener()).tenantId] })).toEqual([])
  })

  test('but is for one that names the key', async () => {
    const { ownerId, tenantId } = await listener({ events: ['payment.failed'] })
    await newEndpoint(database.db, KEY, { url: URL, ownerId, tenantIds: [tenantId] })
    const sent = await broadcast({ tenantId })
    await includeOne(database.db, sent, newLanding(sent.hash))
    expect(await typesLeft(sent.settlementId)).toEqual(['payment.settled'])
  })
})
