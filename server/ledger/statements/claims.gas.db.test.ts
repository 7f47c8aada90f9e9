import { describe, expect, test } from 'vitest'
import { freshDatabase } from '../../../test/support/database/database'
import {
  claimEnd,
  includeOne,
  newBroadcast,
  newClaim,
  newClaimed,
  newLanding,
  newTenantOf,
  WIDE_LIMITS,
} from '../../../test/support/database/ledger'
import { fixture } from '../../../test/support/fixture'
import { recordMined, recordOtherBlock } from './landings'

const database = fixture(freshDatabase)
const newTenant = (data = {}) => newTenantOf(database.db, data)
const WIDE = { ...WIDE_LIMITS, payerQueue: 9, partyQueue: 9, payerFailures: 9 }

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

  test('is of one budget, one network and one UTC day', async () => {
    const { db } = database
    const tenantId = await newTenant()
    const day = new Date(new Date().toISOString().slice(0, 10))
    const yesterday = new Date(day.getTime() - 86_400_000)
    const spent = { budget: `tenant:${tenantId}`, network: 'eip155:84532', spent: 10 }
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
