import { describe, expect, test } from 'vitest'
import { freshDatabase } from '../../../test/support/database/database'
import {
  claimEnd,
  newBroadcast,
  newClaim,
  newClaimed,
  newLanding,
  newTenantOf,
  WIDE_LIMITS,
} from '../../../test/support/database/ledger'
import { fixture } from '../../../test/support/fixture'
import type { Claim } from './claim-statement'
import { rejectClaim } from './claims'
import { recordMined } from './landings'
import { pruneGasSpends } from './usage'

const database = fixture(freshDatabase)

let owners = 0
/** The tenant of a new owner's free key, made from a block of addresses, and what its claims are counted as. */
async function newFree(freeFrom: string | null = `block ${owners}`) {
  const ownerId = `wallet ${++owners}`
  const tenantId = await newTenantOf(database.db, { plan: 'free' })
  const party = `owner:wallet:${ownerId}:free`
  return { tenantId, caller: `tenant:${tenantId}`, party, freeFrom, subject: party, payer: ownerId }
}

let networks = 0
/** A network on which nothing was spent yet. */
const newNetwork = () => `eip155:${1_000_000 + ++networks}`

const budget = (freeBudget: bigint, gasEach = 0n) => ({ ...WIDE_LIMITS, freeBudget, gasEach })
const end = (claim: Partial<Claim>) => claimEnd(database.db, newClaim(claim))

async function spend(of: Partial<Claim>, wei: bigint): Promise<void> {
  const place = await newBroadcast(database.db, of)
  await recordMined(database.db, newLanding(place.hash, { gasUsed: wei, gasPrice: 1n, l1Fee: 0n }))
}

/** What was spent from a budget on a network, on all days. */
async function spentFrom(budget: string, network: string): Promise<number> {
  const { _sum } = await database.db.gasSpend.aggregate({ where: { budget, network }, _sum: { spent: true } })
  return _sum.spent?.toNumber() ?? 0
}

describe('the gas budget that all free keys share', () => {
  test('is spent by each of them, and then takes no claim of any of them, also of a new one', async () => {
    const network = newNetwork()
    for (const wei of [40n, 60n]) await spend({ ...(await newFree()), network }, wei)
    expect(await spentFrom('free', network)).toBe(100)
    const other = await newFree()
    const claims = [budget(100n), budget(101n)].map((limits) => end({ ...other, network, limits }))
    expect(await Promise.all(claims)).toEqual(['free gas budget', 'claimed'])
  })

  test('is not spent by other keys, and does not bound them', async () => {
    const network = newNetwork()
    const paid = { ...(await newFree(null)), network }
    await spend(paid, 100n)
    expect(await spentFrom('free', network)).toBe(0)
    await spend({ ...(await newFree()), network }, 100n)
    expect(await end({ ...paid, limits: { ...WIDE_LIMITS, freeBudget: null } })).toBe('claimed')
  })

  test('is of one network and one UTC day', async () => {
    const day = new Date(`${new Date().toISOString().slice(0, 10)}T00:00:00Z`)
    const yesterday = new Date(day.getTime() - 86_400_000)
    const [spent, earlier] = [newNetwork(), newNetwork()]
    await database.db.gasSpend.createMany({
      data: [
        { day, budget: 'free', network: spent, spent: 10 },
        { day: yesterday, budget: 'free', network: earlier, spent: 10 },
      ],
    })
    const claim = async (network: string) => end({ ...(await newFree()), network, limits: budget(10n) })
    expect([await claim(spent), await claim(earlier)]).toEqual(['free gas budget', 'claimed'])
  })

  test('with nothing in it takes no claim', async () => {
    expect(await end({ ...(await newFree()), network: newNetwork(), limits: budget(0n) })).toBe('free gas budget')
  })

  test('counts what all of them have in flight at its maximum cost, one after the other and at once', async () => {
    const network = newNetwork()
    const claim = async () => newClaim({ ...(await newFree()), network, limits: budget(100n, 25n) })
    const claims = [await claim(), await claim(), await claim(), await claim(), await claim(), await claim()]
    const ends = await Promise.all(claims.map((one) => claimEnd(database.db, one)))
    expect(ends.toSorted()).toEqual([...Array(4).fill('claimed'), 'free queue', 'free queue'])
    const won = claims[ends.indexOf('claimed')]
    const again = async () => claimEnd(database.db, await claim())
    expect(await again()).toBe('free queue')
    expect(await rejectClaim(database.db, won?.id ?? '', won?.waiter ?? '')).toBe(true)
    expect(await again()).toBe('claimed')
  })

  test("is charged a free key's share of a transaction that it shares with others", async () => {
    const network = newNetwork()
    const place = await newBroadcast(database.db, { tenantId: await newTenantOf(database.db), network })
    for (const key of [await newFree('one block'), await newFree('one block')]) {
      const { id } = await newClaimed(database.db, { ...key, network })
      await database.db.slotMember.create({ data: { slotId: place.slotId, settlementId: id } })
    }
    await recordMined(database.db, newLanding(place.hash, { gasUsed: 100n, gasPrice: 1n, l1Fee: 0n }))
    expect([await spentFrom('free', network), await spentFrom('free one block', network)]).toEqual([68, 68])
  })
})

describe('a block of addresses that made free keys', () => {
  test('has a quarter of the budget, with any number of keys; the next block goes on', async () => {
    const network = newNetwork()
    const limits = budget(1_000n, 10n)
    await spend({ ...(await newFree('192.0.2.0/24')), network }, 241n)
    expect(await end({ ...(await newFree('192.0.2.0/24')), network, limits })).toBe('free gas budget')
    expect(await end({ ...(await newFree('198.51.100.0/24')), network, limits })).toBe('claimed')
  })

  test('has in flight what its quarter pays for, and not more', async () => {
    const network = newNetwork()
    const limits = budget(400n, 40n)
    const claim = async (block: string) => end({ ...(await newFree(block)), network, limits })
    const ends = [await claim('203.0.113.0/24'), await claim('203.0.113.0/24'), await claim('203.0.113.0/24')]
    expect([...ends, await claim('other')]).toEqual(['claimed', 'claimed', 'free queue', 'claimed'])
  })

  test('has nothing of the last half once it has spent a 25th of the budget; a block that did not goes on', async () => {
    const network = newNetwork()
    const limits = budget(1_000n, 10n)
    const small = { ...(await newFree('small')), network }
    const large = { ...(await newFree('large')), network }
    // Its payment stays in flight: 30 and the 10 of that are a 25th.
    await spend(small, 30n)
    await spend(large, 41n)
    for (const block of ['a', 'b']) await spend({ ...(await newFree(block)), network }, 215n)
    expect(await spentFrom('free', network)).toBe(501)
    expect([await end({ ...large, limits }), await end({ ...small, limits })]).toEqual(['free gas budget', 'claimed'])
  })
})

test('what budgets spent is deleted after the next day', async () => {
  const { gasSpend } = database.db
  const midnight = new Date().setUTCHours(0, 0, 0, 0)
  const network = newNetwork()
  const of = (ago: number) => ({ day: new Date(midnight - ago * 86_400_000), budget: `owner ${ago}`, network, spent: 1 })
  await gasSpend.createMany({ data: [of(0), of(1), of(2), of(30)] })
  expect([await pruneGasSpends(database.db, 1), await pruneGasSpends(database.db, 100)]).toEqual([1, 1])
  const left = await gasSpend.findMany({ where: { network }, orderBy: { budget: 'asc' } })
  expect(left.map(({ budget }) => budget)).toEqual(['owner 0', 'owner 1'])
})
