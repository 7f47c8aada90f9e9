import { describe, expect, test } from 'vitest'
import { freshDatabase } from '../../../test/support/database/database'
import {
  claimEnd,
  includeOne,
  newBroadcast,
  newClaim,
  newFailure,
  newLanding,
  newTenantOf,
  WIDE_LIMITS,
} from '../../../test/support/database/ledger'
import { fixture } from '../../../test/support/fixture'
import { recordMissed } from './payer-failures'

const database = fixture(freshDatabase)
const _newTenant = (data = {}) => newTenantOf(database.db, data)
const _REVERTED = { to: 'REVERTED', counts: 'everywhere', reason: 'invalid_exact_evm_transaction_failed', txHash: '' } as const
const WIDE = { ...WIDE_LIMITS, payerQueue: 9, partyQueue: 9, payerFailures: 9 }

describe('failures that a merchant may have made', () => {
  const limits = { ...WIDE, payerFailures: 3, failuresEverywhere: 4, failuresParties: 3 }
  const failAt = async (payer: string, parties: readonly string[], kind: string) => {
    for (const party of parties) {
      await newFailure(database.db, { payer, party })
      await database.db.payerFailure.updateMany({ where: { payer, party }, data: { kind } })
    }
  }

  test("count at its party alone when nothing says that they are the payer's", async () => {
    const { db } = database
    const by = (party: string) => newClaim({ payer: 'perhaps', party, limits })
    await failAt('perhaps', ['one', 'two', 'three', 'three', 'three'], 'unclear')
    expect([await claimEnd(db, by('three')), await claimEnd(db, by('four'))]).toEqual(['payer failures', 'claimed alone'])
  })

  test('pause a payer everywhere only at parties that cost something: all keys that wallets made are one', async () => {
    const { db } = database
    const walletKeys = (digit: string) => `owner:wallet:0x${digit.repeat(40)}:free`
    const by = (party: string) => newClaim({ payer: 'framed', party, limits })
    await failAt('framed', ['1', '2', '3', '4'].map(walletKeys), 'unpaid')
    expect(await claimEnd(db, by('an honest merchant'))).toBe('claimed alone')
    await failAt('framed', ['second', 'third'], 'unpaid')
    expect(await claimEnd(db, by('an honest merchant'))).toBe('payer failures')
  })
})

describe('a party whose payers failed often within an hour', () => {
  const limits = { ...WIDE, guardAt: 3, guardedPayerQueue: 2, aloneQueue: 2 }
  const by = (payer: string, of: object = {}) => newClaim({ payer, party: 'guarded', limits, ...of })
  /** A final payment. */
  async function paid(of: object): Promise<{ id: string }> {
    const { db } = database
    const place = await newBroadcast(db, of)
    await includeOne(db, place, newLanding(place.hash))
    await db.settlement.update({ where: { id: place.settlementId }, data: { state: 'FINAL' } })
    return { id: place.settlementId }
  }

  test('gets new payers alone and a few at once, other payers a few each, and other networks and parties are untouched', async () => {
    const { db } = database
    for (let at = 0; at < 3; at++) await newFailure(db, { payer: `fails ${at}`, party: 'guarded' })
    await paid({ payer: 'has paid', party: 'guarded' })
    const ends = []
    for (const payer of ['new 1', 'new 2', 'new 3', 'has paid', 'has paid', 'has paid']) ends.push(await claimEnd(db, by(payer)))
    expect(ends).toEqual(['claimed alone', 'claimed alone', 'new payers', 'claimed', 'claimed', 'payer queue'])
    const { id } = await paid({ payer: 'has put into a channel', party: 'guarded' })
    await db.settlement.update({ where: { id }, data: { kind: 'escrow' } })
    expect(await claimEnd(db, by('has put into a channel'))).toBe('new payers')
    expect(await claimEnd(db, by('new 4', { network: 'eip155:8453' }))).toBe('claimed')
    expect(await claimEnd(db, by('new 5', { party: 'beside it' }))).toBe('claimed')
  })

  test('knows a payer by a payment to itself, and by one to another party only when that is a day old and large', async () => {
    const { db } = database
    for (let at = 0; at < 3; at++) await newFailure(db, { payer: `makes itself known ${at}`, party: 'careful' })
    const here = { party: 'careful', limits: { ...limits, aloneQueue: 0 } }
    const dayAgo = new Date(Date.now() - 86_500_000)
    const old = { createdAt: dayAgo }
    for (const [payer, party, amount, data, end] of [
      ['paid here', 'careful', 100n, {}, 'claimed'],
      ['just paid there', 'there', 5_000_000n, {}, 'new payers'],
      ['paid little there', 'there', 100n, old, 'new payers'],
      ['paid there', 'there', 1_000_000n, old, 'claimed'],
    ] as const) {
      const { id } = await paid({ payer, party, amount })
      await db.settlement.update({ where: { id }, data })
      expect([payer, await claimEnd(db, by(payer, here))]).toEqual([payer, end])
    }
  })

  test('has a place for the next new payer as soon as a block has a transaction without its payment', async () => {
    const { db } = database
    for (let at = 0; at < 3; at++) await newFailure(db, { payer: `takes places ${at}`, party: 'full' })
    const here = { party: 'full', limits: { ...limits, aloneQueue: 1 } }
    const first = by('first in', here)
    await newBroadcast(db, first)
    await db.settlement.update({ where: { id: first.id }, data: { newcomer: true } })
    expect(await claimEnd(db, by('second in', here))).toBe('new payers')
    await recordMissed(db, [first.id])
    expect(await claimEnd(db, by('second in', here))).toBe('claimed alone')
  })

  test('takes several new payers of one tick as if one after the other', async () => {
    const { db } = database
    for (let at = 0; at < 3; at++) await newFailure(db, { payer: `fails again ${at}`, party: 'guarded at once' })
    const claims = Array.from({ length: 5 }, (_, at) => by(`at once ${at}`, { party: 'guarded at once' }))
    const ends = await Promise.all(claims.map((claim) => claimEnd(db, claim)))
    expect(ends.toSorted()).toEqual(['claimed alone', 'claimed alone', 'new payers', 'new payers', 'new payers'])
  })
})
