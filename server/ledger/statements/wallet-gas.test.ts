import { describe, expect, test } from 'vitest'
import { freshDatabase } from '../../../test/database'
import { fixture } from '../../../test/fixture'
import { claimEnd, newBroadcast, newClaim, newClaimed, newLanding, newTenantOf, WIDE_LIMITS } from '../../../test/ledger'
import { rejectClaim } from './claims'
import { recordMined } from './landings'

const database = fixture(freshDatabase)

let wallets = 0
/** The tenant of a new wallet's key, and what its claims are counted as. */
async function newWallet(plan = 'free') {
  const ownerId = `wallet ${++wallets}`
  const tenantId = await newTenantOf(database.db, { plan })
  const subject = `owner:wallet:${ownerId}:${plan}`
  return { tenantId, caller: `tenant:${tenantId}`, party: subject, subject, payer: ownerId }
}

const budget = (walletGasBudget: bigint, gasEach = 0n) => ({ ...WIDE_LIMITS, walletGasBudget, gasEach })
const end = (claim: Parameters<typeof newClaim>[0]) => claimEnd(database.db, newClaim(claim))

async function spend(of: Parameters<typeof newClaim>[0], wei: bigint): Promise<void> {
  const place = await newBroadcast(database.db, of)
  await recordMined(database.db, newLanding(place.hash, { gasUsed: wei, gasPrice: 1n, l1Fee: 0n }))
}

/** What all wallets spent on Base Sepolia today. */
async function spentTogether(): Promise<bigint> {
  const rows = await database.db.walletKeySpend.findMany({ where: { network: 'eip155:84532' } })
  return rows.reduce((sum, { spent }) => sum + BigInt(spent.toFixed()), 0n)
}

describe('the gas budget that all keys of wallets share', () => {
  test('is spent by each of them, and then takes no claim of any of them, also of a new one', async () => {
    await spend(await newWallet(), 40n)
    const before = await spentTogether()
    await spend(await newWallet(), 60n)
    expect(await spentTogether()).toBe(before + 60n)
    const other = await newWallet()
    const claims = [budget(before + 60n), budget(before + 61n)].map((limits) => end({ ...other, limits }))
    expect(await Promise.all(claims)).toEqual(['wallet gas budget', 'claimed'])
  })

  test('is not spent by other keys, and does not bound them', async () => {
    const before = await spentTogether()
    const others = [
      { tenantId: await newTenantOf(database.db), party: 'owner:oidc:wallet:free' },
      { ...(await newWallet()), party: 'tenant:with a quota of its own' },
      await newWallet('growth'),
      { ...(await newWallet('agent')), party: 'wallet:an agent' },
    ]
    for (const other of others) await spend(other, 100n)
    expect(await spentTogether()).toBe(before)
    for (const other of others) expect(await end({ ...other, limits: budget(0n) })).toBe('claimed')
  })

  test('is of one network and one UTC day', async () => {
    const day = new Date(`${new Date().toISOString().slice(0, 10)}T00:00:00Z`)
    const yesterday = new Date(day.getTime() - 86_400_000)
    await database.db.walletKeySpend.createMany({
      data: [
        { day, network: 'eip155:8453', spent: 10 },
        { day: yesterday, network: 'eip155:1', spent: 10 },
      ],
    })
    const claim = async (network: string) => end({ ...(await newWallet()), network, limits: budget(10n) })
    expect([await claim('eip155:8453'), await claim('eip155:1')]).toEqual(['wallet gas budget', 'claimed'])
  })

  test('counts what all of them have in flight at its maximum cost, one after the other and at once', async () => {
    const network = 'eip155:10'
    const claim = async () => newClaim({ ...(await newWallet()), network, limits: budget(100n, 40n) })
    const claims = [await claim(), await claim(), await claim(), await claim(), await claim()]
    const ends = await Promise.all(claims.map((one) => claimEnd(database.db, one)))
    expect(ends.toSorted()).toEqual(['claimed', 'claimed', 'claimed', 'wallet queue', 'wallet queue'])
    const free = claims[ends.indexOf('claimed')]
    expect(await end({ ...(await newWallet()), network, limits: budget(100n, 40n) })).toBe('wallet queue')
    expect(await rejectClaim(database.db, free?.id ?? '', free?.waiter ?? '')).toBe(true)
    expect(await end({ ...(await newWallet()), network, limits: budget(100n, 40n) })).toBe('claimed')
  })

  test('is charged a wallet’s share of a transaction that it shares with others', async () => {
    const before = await spentTogether()
    const place = await newBroadcast(database.db, { tenantId: await newTenantOf(database.db) })
    for (const wallet of [await newWallet(), await newWallet()]) {
      const { id } = await newClaimed(database.db, wallet)
      await database.db.slotMember.create({ data: { slotId: place.slotId, settlementId: id } })
    }
    await recordMined(database.db, newLanding(place.hash, { gasUsed: 100n, gasPrice: 1n, l1Fee: 0n }))
    expect(await spentTogether()).toBe(before + 68n)
  })
})
