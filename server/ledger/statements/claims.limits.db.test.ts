import { v7 as uuidv7 } from 'uuid'
import { describe, expect, test } from 'vitest'
import { freshDatabase } from '../../../test/support/database/database'
import {
  claimEnd,
  includeOne,
  newBroadcast,
  newClaim,
  newClaimed,
  newFailure,
  newLanding,
  WIDE_LIMITS,
} from '../../../test/support/database/ledger'
import { fixture } from '../../../test/support/fixture'
import { handOver } from '../remote/statements'
import { recordFailed, recordReturned, recordUnsent } from './landings'
import { findIntent } from './settlements'

const database = fixture(freshDatabase)
const REVERTED = { to: 'REVERTED', counts: 'everywhere', reason: 'invalid_exact_evm_transaction_failed', txHash: '' } as const
const WIDE = { ...WIDE_LIMITS, payerQueue: 9, partyQueue: 9, payerFailures: 9 }

describe('a queue', () => {
  test('of a payer or a caller takes no more than its cap, and takes again when something has landed', async () => {
    const { db } = database
    for (const [whose, full] of [
      ['payer', 'payer queue'],
      ['party', 'party queue'],
    ] as const) {
      const mine = { payer: `payer of ${whose}`, caller: `caller of ${whose}`, [whose]: `full ${whose}` }
      const limits = { ...WIDE, [`${whose}Queue`]: 3 }
      const place = await newBroadcast(db, mine)
      const ends = []
      for (let at = 0; at < 4; at++) ends.push(await claimEnd(db, newClaim({ ...mine, limits })))
      expect(ends).toEqual(['claimed', 'claimed', full, full])
      await includeOne(db, place, newLanding(place.hash))
      expect(await claimEnd(db, newClaim({ ...mine, limits }))).toBe('claimed')
    }
  })

  test('of a payer is counted by network', async () => {
    const { db } = database
    const limits = { ...WIDE, payerQueue: 1 }
    const claim = (network: string) => claimEnd(db, newClaim({ payer: 'two networks', caller: 'x', network, limits }))
    expect([await claim('eip155:84532'), await claim('eip155:8453'), await claim('eip155:8453')]).toEqual([
      'claimed',
      'claimed',
      'payer queue',
    ])
  })
})

describe('a payment at another facilitator that never answers', () => {
  test('leaves every queue after a minute, which a payment of our own does not', async () => {
    const { db } = database
    for (const [laneClass, end] of [
      ['remote', 'claimed'],
      ['production', 'payer queue'],
    ] as const) {
      const mine = {
        payer: `unanswered ${laneClass}`,
        party: `of ${laneClass}`,
        limits: { ...WIDE, payerQueue: 1, partyQueue: 1 },
      }
      const place = await newClaimed(db, { ...mine, laneClass })
      if (laneClass === 'remote') await handOver(db, place.id, { sinceBlock: 7n, senders: [], checkInMs: 1_000 })
      expect(await claimEnd(db, newClaim(mine))).toBe('payer queue')
      await db.$executeRaw`UPDATE "Settlement" SET "createdAt" = now() - interval '61 seconds' WHERE "id" = ${place.id}::uuid`
      expect(await claimEnd(db, newClaim(mine))).toBe(end)
    }
  })
})

describe('a payer whose transfers failed on the chain', () => {
  test('is refused after as many as an hour allows, on that network only, and taken again when the hour is over', async () => {
    const { db } = database
    const mine = { payer: 'in vain', caller: 'y', limits: { ...WIDE, payerFailures: 2 } }
    const places = [await newBroadcast(db, mine), await newBroadcast(db, mine)]
    for (const place of places) await recordFailed(db, place, { ...REVERTED, landing: null })
    const elsewhere = { ...mine, network: 'eip155:8453' }
    expect([await claimEnd(db, newClaim(mine)), await claimEnd(db, newClaim(elsewhere))]).toEqual(['payer failures', 'claimed'])
    await db.$executeRaw`UPDATE "PayerFailure" SET "at" = now() - interval '61 minutes' WHERE "settlementId" = ${places[0]?.settlementId}::uuid`
    expect(await claimEnd(db, newClaim(mine))).toBe('claimed alone')
  })

  test('is refused by the party that saw them, and by others only when several parties saw many', async () => {
    const { db } = database
    const limits = { ...WIDE, payerFailures: 3, failuresEverywhere: 9, failuresParties: 3 }
    const by = (party: string) => newClaim({ payer: 'front-run', party, limits })
    for (let at = 0; at < 9; at++) await newFailure(db, { payer: 'front-run', party: 'a hostile merchant' })
    expect([await claimEnd(db, by('a hostile merchant')), await claimEnd(db, by('an honest merchant'))]).toEqual([
      'payer failures',
      'claimed alone',
    ])
    for (const party of ['second', 'third']) await newFailure(db, { payer: 'front-run', party })
    expect(await claimEnd(db, by('an honest merchant'))).toBe('payer failures')
  })
})

describe('a payment that came back from a transaction', () => {
  test('counts for its payer and not for its merchant, and no payment counts after the horizon', async () => {
    const { db } = database
    const limits = { ...WIDE, payerQueue: 2, partyQueue: 1 }
    const mine = { payer: 'came back', party: 'its merchant', limits }
    const place = await newBroadcast(db, mine)
    expect(await claimEnd(db, newClaim({ ...mine, payer: 'another' }))).toBe('party queue')
    await recordReturned(db, place.slotId, [place.settlementId], newLanding(place.hash))
    expect(await claimEnd(db, newClaim({ ...mine, payer: 'another' }))).toBe('claimed')
    const busy = { payer: 'came back', party: 'a second merchant', limits }
    expect([await claimEnd(db, newClaim(busy)), await claimEnd(db, newClaim({ ...busy, party: 'a third' }))]).toEqual([
      'claimed',
      'payer queue',
    ])
    await db.$executeRaw`UPDATE "Settlement" SET "createdAt" = now() - interval '11 minutes' WHERE "party" IN ('its merchant', 'a second merchant')`
    expect(await claimEnd(db, newClaim(busy))).toBe('claimed')
  })

  test('that fails as unpaid leaves its intent free and is one failure of its payer', async () => {
    const { db } = database
    const claim = newClaim({ payer: 'unpaid', party: 'unpaid at' })
    const place = await newBroadcast(db, claim)
    expect(await claimEnd(db, newClaim({ ...claim, id: uuidv7() }))).toBe('taken')
    await recordReturned(db, place.slotId, [place.settlementId], newLanding(place.hash))
    const failing = {
      to: 'UNPAID',
      counts: 'everywhere',
      reason: 'invalid_exact_evm_insufficient_balance',
      txHash: place.hash,
      detail: 'It left.',
    } as const
    expect([await recordUnsent(db, claim.id, failing), await recordUnsent(db, claim.id, failing)]).toEqual(['UNPAID', null])
    expect(await db.payerFailure.count({ where: { payer: 'unpaid', kind: 'unpaid' } })).toBe(1)
    expect(await findIntent(db, claim.intentKey)).toBeNull()
    const again = newClaim({ ...claim, id: uuidv7() })
    expect(await claimEnd(db, again)).toBe('claimed alone')
    expect(await findIntent(db, claim.intentKey)).toMatchObject({ id: again.id, state: 'CLAIMED' })
  })
})
