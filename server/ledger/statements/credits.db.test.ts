import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { freshDatabase } from '../../../test/support/database/database'
import {
  claimEnd,
  includeOne,
  newBroadcast,
  newClaim,
  newClaimed,
  newHash,
  newLanding,
} from '../../../test/support/database/ledger'
import { fixture } from '../../../test/support/fixture'
import { OPERATOR_TENANT } from '../../accounts/caller'
import type { Environment } from '../../x402/networks/networks'
import { commitSigned, recordSvmFailed, recordSvmIncluded } from '../svm/statements'
import type { Claim } from './claim-statement'
import { rejectClaim } from './claims'
import { findLastPurchase, PREPAID, readCredits, subjectOfCredits, takeVerification } from './credits'
import { recordFailed, recordPreconfirmed, recordReturned, recordUnlanded, recordUnpreconfirmed, recordUnsent } from './landings'

const database = fixture(freshDatabase)

const newWallet = () => `0x${randomBytes(20).toString('hex')}`
const NETWORKS = { testnet: 'eip155:84532', mainnet: 'eip155:8453' } as const satisfies Record<Environment, string>

const SOLANA = 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1'

/** A purchase of this many credits in flight. */
const purchaseOf = (payer: string, credits = 100n, environment: Environment = 'testnet') =>
  newBroadcast(database.db, {
    tenantId: OPERATOR_TENANT,
    payer,
    credits,
    network: NETWORKS[environment],
    subject: 'service',
    period: 'none',
  })

/** A claim that one of the wallet's credits pays for. */
const paidBy = (wallet: string, environment: Environment = 'testnet', overrides: Partial<Claim> = {}) =>
  newClaim({ subject: subjectOfCredits({ wallet, environment }), period: PREPAID, returnCap: 0, ...overrides })

const account = (wallet: string, environment: Environment = 'testnet') => readCredits(database.db, { wallet, environment })
const entriesOf = async (wallet: string) =>
  (await database.db.creditEntry.findMany({ where: { wallet }, orderBy: { createdAt: 'asc' } })).map(({ kind, delta }) => [
    kind,
    delta,
  ])

const reversed = (txHash: string) => ({
  to: 'USED_ELSEWHERE' as const,
  counts: 'everywhere' as const,
  reason: 'authorization_used_elsewhere' as const,
  landing: null,
  txHash,
})

/** A wallet that has bought so many credits. */
async function holder(credits: bigint, environment: Environment = 'testnet'): Promise<string> {
  const wallet = newWallet()
  const place = await purchaseOf(wallet, credits, environment)
  await includeOne(database.db, place, newLanding(place.hash))
  return wallet
}

describe('a purchase', () => {
  test('is credited with its landing, once, even when that is recorded twice', async () => {
    const wallet = newWallet()
    const place = await purchaseOf(wallet)
    expect(await account(wallet)).toEqual({ purchased: 0, used: 0, verifications: 0 })
    await Promise.all(Array.from({ length: 5 }, () => includeOne(database.db, place, newLanding(place.hash))))
    expect([await account(wallet), await entriesOf(wallet)]).toMatchObject([{ purchased: 100 }, [['purchase', 100n]]])
  })

  test('that was preconfirmed, lost and landed after all is credited once', async () => {
    const { db } = database
    const wallet = newWallet()
    const place = await purchaseOf(wallet)
    await recordPreconfirmed(db, place.slotId, [place.settlementId], place.hash)
    expect(await account(wallet)).toMatchObject({ purchased: 100 })
    await recordUnpreconfirmed(db, place)
    await includeOne(db, place, newLanding(place.hash))
    expect([await account(wallet), await entriesOf(wallet)]).toMatchObject([{ purchased: 100 }, [['purchase', 100n]]])
  })

  test('that a reorganisation took off the chain and put back is credited once', async () => {
    const { db } = database
    const wallet = newWallet()
    const place = await purchaseOf(wallet)
    for (const block of [10n, 11n]) {
      await includeOne(db, place, newLanding(place.hash, { block }))
      if (block === 10n) await recordUnlanded(db, place)
    }
    expect([await account(wallet), await entriesOf(wallet)]).toMatchObject([{ purchased: 100 }, [['purchase', 100n]]])
  })

  test('that is reversed is taken back once, and the account may be overdrawn', async () => {
    const { db } = database
    const wallet = newWallet()
    const place = await purchaseOf(wallet)
    await includeOne(db, place, newLanding(place.hash))
    expect(await claimEnd(db, paidBy(wallet))).toBe('claimed')
    await recordUnlanded(db, place)
    const states = await Promise.all([1, 2].map(() => recordFailed(db, place, reversed(place.hash))))
    expect(states.toSorted()).toEqual(['REVERSED', null])
    expect(await account(wallet)).toEqual({ purchased: 0, used: 1, verifications: 0 })
    expect(await entriesOf(wallet)).toEqual([
      ['purchase', 100n],
      ['reversal', -100n],
    ])
    expect(await claimEnd(db, paidBy(wallet))).toBe('credits')
    const next = await purchaseOf(wallet)
    await includeOne(db, next, newLanding(next.hash))
    expect(await account(wallet)).toEqual({ purchased: 100, used: 1, verifications: 0 })
  })

  test('that is undone while its transfer waits to be sent alone is taken back, and is not the last purchase', async () => {
    const { db } = database
    const wallet = newWallet()
    const place = await purchaseOf(wallet)
    await includeOne(db, place, newLanding(place.hash))
    expect(await findLastPurchase(db, { wallet, environment: 'testnet' })).toMatchObject({ credits: 100, txHash: place.hash })
    await recordUnlanded(db, place)
    await recordReturned(db, place.slotId, [place.settlementId], newLanding(place.hash, { succeeded: false }))
    expect(await account(wallet)).toMatchObject({ purchased: 100 })
    await recordUnsent(db, place.settlementId, reversed(place.hash))
    expect(await account(wallet)).toMatchObject({ purchased: 0 })
    expect(await findLastPurchase(db, { wallet, environment: 'testnet' })).toBeNull()
  })

  test('is credited and taken back on Solana too, and several of one wallet in one moment are added up', async () => {
    const { db } = database
    const wallet = newWallet()
    const terms = { tenantId: OPERATOR_TENANT, payer: wallet, subject: 'service', period: 'none', network: SOLANA, credits: 100n }
    const claims = await Promise.all([1, 2, 3].map(() => newClaimed(db, { ...terms, transfer: { source: 'account' } })))
    const landings = claims.map(({ id }) => ({ settlementId: id, slot: 80n }))
    for (const { id } of claims)
      await commitSigned(db, {
        settlementId: id,
        signature: newHash(),
        raw: 'AQ==',
        fee: 5_000n,
        sinceSlot: 77n,
        checkInMs: 1_000,
      })
    await recordSvmIncluded(db, landings, 1_000)
    expect(await account(wallet)).toMatchObject({ purchased: 300 })
    for (const { id } of claims.slice(1)) await recordUnlanded(db, { settlementId: id, slotId: null })
    const gone = claims.map(({ id }) => ({ settlementId: id, slot: null }))
    await recordSvmFailed(db, { to: 'EXPIRED', counts: 'everywhere', reason: 'settle_exact_svm_block_height_exceeded' }, gone)
    expect(await account(wallet)).toMatchObject({ purchased: 100 })
    expect((await entriesOf(wallet)).map(([kind]) => kind).toSorted()).toEqual([
      'purchase',
      'purchase',
      'purchase',
      'reversal',
      'reversal',
    ])
  })
})

describe('a settlement that is paid for in credits', () => {
  test('finds exactly as many of its kind as there are credits, however many try at once', async () => {
    const wallet = await holder(7n)
    const ends = await Promise.all(Array.from({ length: 20 }, () => claimEnd(database.db, paidBy(wallet))))
    expect(ends.toSorted()).toEqual([...Array(7).fill('claimed'), ...Array(13).fill('credits')])
    expect(await account(wallet)).toMatchObject({ purchased: 7, used: 7 })
  })

  test('takes one credit for one transfer, with any number of claims', async () => {
    const wallet = await holder(10n)
    const intentKey = randomBytes(32)
    const ends = await Promise.all(
      Array.from({ length: 10 }, () => claimEnd(database.db, paidBy(wallet, 'testnet', { intentKey }))),
    )
    expect(ends.toSorted()).toEqual(['claimed', ...Array(9).fill('taken')])
    expect(await account(wallet)).toMatchObject({ used: 1 })
  })

  test('waits for its account by itself: claims of the same moment that need another one, or none, are made meanwhile', async () => {
    const { db } = database
    const [busy, idle] = [await holder(1n), await holder(1n)]
    const waiting = await db.$transaction(async (transaction) => {
      await transaction.$queryRaw`SELECT 1 FROM "CreditAccount" WHERE "wallet" = ${busy} FOR UPDATE`
      const [first, ...others] = [paidBy(busy), paidBy(idle), newClaim()].map((claim) => claimEnd(db, claim))
      expect(await Promise.all(others)).toEqual(['claimed', 'claimed'])
      return [first]
    })
    expect(await Promise.all(waiting)).toEqual(['claimed'])
  })

  test('gives its credit back when it is freed, once, and keeps it when it was sent', async () => {
    const { db } = database
    const wallet = await holder(10n)
    const subject = subjectOfCredits({ wallet, environment: 'testnet' })
    const freed = await newClaimed(db, paidBy(wallet))
    const results = await Promise.all([1, 2, 3].map(() => rejectClaim(db, freed.id, freed.waiter)))
    expect(results.toSorted()).toEqual([false, false, true])
    expect(await account(wallet)).toMatchObject({ used: 0 })
    const sent = await newBroadcast(db, { subject, period: PREPAID })
    expect(await rejectClaim(db, sent.settlementId, sent.claim.waiter)).toBe(false)
    expect(await recordFailed(db, sent, reversed(sent.hash))).toBe('USED_ELSEWHERE')
    expect(await account(wallet)).toMatchObject({ used: 1 })
  })

  test.each([
    ['testnet', 'mainnet'],
    ['mainnet', 'testnet'],
  ] as const)('is never paid for with credits of %s on %s', async (bought, spent) => {
    const wallet = await holder(5n, bought)
    expect(await claimEnd(database.db, paidBy(wallet, spent))).toBe('credits')
    expect(await takeVerification(database.db, { wallet, environment: spent }, 5)).toBeNull()
    expect([await account(wallet, bought), await account(wallet, spent)]).toEqual([
      { purchased: 5, used: 0, verifications: 0 },
      { purchased: 0, used: 0, verifications: 0 },
    ])
  })

  test("is never paid for with another wallet's credits", async () => {
    const [rich, poor] = [await holder(5n), newWallet()]
    expect(await claimEnd(database.db, paidBy(poor))).toBe('credits')
    expect(await account(rich)).toMatchObject({ used: 0 })
  })
})

describe('verifications', () => {
  test('are five for each credit, however many are asked for at once, and come back one by one', async () => {
    const { db } = database
    const key = { wallet: await holder(2n), environment: 'testnet' } as const
    const taken = await Promise.all(Array.from({ length: 15 }, () => takeVerification(db, key, 5)))
    expect(taken.filter((one) => one !== null)).toHaveLength(10)
    expect(await account(key.wallet)).toMatchObject({ verifications: 10 })
  })
})
