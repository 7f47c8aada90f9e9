import { v7 as uuidv7 } from 'uuid'
import { describe, expect, test } from 'vitest'
import { freshDatabase } from '../../../test/database'
import { fixture } from '../../../test/fixture'
import {
  claimEnd,
  includeOne,
  newBroadcast,
  newClaim,
  newClaimed,
  newFailure,
  newLanding,
  newTenantOf,
  WIDE_LIMITS,
} from '../../../test/ledger'
import { handOver } from '../remote/statements'
import { recordFailed, recordMined, recordOtherBlock, recordReturned, recordUnsent } from './landings'
import { findIntent } from './settlements'

const database = fixture(freshDatabase)
const newTenant = (data = {}) => newTenantOf(database.db, data)
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

describe('the gas budget of a day', () => {
  const budget = (gasBudget: bigint, gasEach = 0n) => ({ ...WIDE, gasBudget, gasEach })

  test('is spent by what receipts say, once, whether the transfer landed or reverted, and then takes no claim', async () => {
    const { db } = database
    const tenantId = await newTenant()
    const claim = (gasBudget: bigint) =>
      claimEnd(db, newClaim({ tenantId, caller: tenantId, payer: tenantId, limits: budget(gasBudget) }))
    const place = await newBroadcast(db, { tenantId })
    const landing = newLanding(place.hash, { gasUsed: 100n, gasPrice: 7n, l1Fee: 5n })
    await includeOne(db, place, landing)
    await recordOtherBlock(db, place, { ...landing, gasPrice: 9n }, null)
    const bad = await newBroadcast(db, { tenantId })
    await recordMined(db, newLanding(bad.hash, { gasUsed: 10n, gasPrice: 1n, l1Fee: 0n, succeeded: false }))
    const spends = await db.sponsorSpend.findMany({ where: { tenantId } })
    expect(spends.map(({ network, spent }) => [network, spent.toNumber()])).toEqual([['eip155:84532', 715]])
    expect([await claim(715n), await claim(716n)]).toEqual(['gas budget', 'claimed'])
  })

  test('counts payments in flight at their maximum cost, and the payment itself', async () => {
    const { db } = database
    const tenantId = await newTenant()
    const claim = (gasEach: bigint) =>
      claimEnd(db, newClaim({ tenantId, caller: tenantId, payer: tenantId, limits: budget(100n, gasEach) }))
    expect(await claim(101n)).toBe('gas budget')
    expect([await claim(50n), await claim(50n), await claim(50n)]).toEqual(['claimed', 'claimed', 'party queue'])
  })

  test('is shared by all keys of an owner and plan', async () => {
    const { db } = database
    const [one, two] = [await newTenant(), await newTenant()]
    const party = `owner:oidc:${one}:growth`
    const place = await newBroadcast(db, { tenantId: one, party })
    await recordMined(db, newLanding(place.hash, { gasUsed: 100n, gasPrice: 1n, l1Fee: 0n }))
    const claim = (of: object) => claimEnd(db, newClaim({ tenantId: two, caller: two, payer: two, limits: budget(100n), ...of }))
    expect([await claim({ party }), await claim({ party: `owner:oidc:${one}:scale` })]).toEqual(['gas budget', 'claimed'])
  })

  test('is of one purse, one network and one UTC day', async () => {
    const { db } = database
    const tenantId = await newTenant()
    const day = new Date(new Date().toISOString().slice(0, 10))
    const yesterday = new Date(day.getTime() - 86_400_000)
    const spent = { purse: `tenant:${tenantId}`, network: 'eip155:84532', spent: 10 }
    await db.gasSpend.createMany({
      data: [
        { ...spent, day: yesterday },
        { ...spent, day, network: 'eip155:8453' },
      ],
    })
    const claim = (of: object = {}) =>
      claimEnd(db, newClaim({ tenantId, caller: tenantId, payer: tenantId, limits: budget(10n), ...of }))
    expect([await claim(), await claim({ network: 'eip155:8453' })]).toEqual(['claimed', 'gas budget'])
    await db.gasSpend.create({ data: { ...spent, day } })
    expect([await claim(), await claim({ tenantId: await newTenant() })]).toEqual(['gas budget', 'claimed'])
  })

  test('is shared by the tenants of one transaction, by their members', async () => {
    const { db } = database
    const [one, two] = [await newTenant(), await newTenant()]
    const place = await newBroadcast(db, { tenantId: one })
    for (let at = 0; at < 2; at++) {
      const { id } = await newClaimed(db, { tenantId: two })
      await db.slotMember.create({ data: { slotId: place.slotId, settlementId: id } })
    }
    await recordMined(db, newLanding(place.hash, { gasUsed: 100n, gasPrice: 1n, l1Fee: 0n }))
    const spends = await db.sponsorSpend.findMany({ where: { tenantId: { in: [one, two] } }, orderBy: { spent: 'asc' } })
    expect(spends.map(({ tenantId, spent }) => [tenantId, spent.toNumber()])).toEqual([
      [one, 34],
      [two, 67],
    ])
  })
})
