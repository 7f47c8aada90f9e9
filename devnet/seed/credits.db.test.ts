import { v7 as uuidv7 } from 'uuid'
import { describe, expect, onTestFinished, test } from 'vitest'
import { OPERATOR_TENANT } from '../../server/accounts/caller'
import { creditsFor } from '../../server/accounts/credit-price'
import { findAgentTenant } from '../../server/agents/queries'
import { DAY_MS } from '../../server/base/durations'
import { findLastPurchase, readCredits } from '../../server/ledger/statements/credits'
import { readKeyActivity } from '../../server/sums/key-activity-queries'
import { dirtyDays, noteDay, rollDay } from '../../server/sums/rollup-queries'
import { networksIn } from '../../server/x402/networks/networks'
import { type FreshDatabase, freshDatabase } from '../../test/support/database/database'
import { agentHistory, costCredit, SEEDED_AGENT } from './agent'
import { seedAt, unseedAt } from './database'
import { gasOf } from './history'

const ACCOUNT = { wallet: SEEDED_AGENT.wallet, environment: 'mainnet' } as const

async function seeded(now = new Date()): Promise<FreshDatabase & { creditsLeft: number }> {
  const fresh = await freshDatabase()
  onTestFinished(fresh.close)
  return { ...fresh, ...(await seedAt(fresh.url, now)) }
}

describe('the sample agent', () => {
  test('never used more credits than it had bought by then, and has less than a tenth left', () => {
    for (const now of ['2026-11-21T12:00:00Z', '2027-02-28T00:03:00Z', '2026-12-20T04:59:59Z'].map((at) => new Date(at))) {
      const { rows, purchases } = agentHistory(now)
      const moves = [
        ...purchases.map(({ createdAt, credits }) => ({ at: createdAt.getTime(), by: credits })),
        ...rows.filter(costCredit).map(({ createdAt }) => ({ at: createdAt.getTime(), by: -1 })),
      ].toSorted((one, other) => one.at - other.at)
      let left = 0
      let least = Number.POSITIVE_INFINITY
      for (const { by } of moves) {
        left += by
        least = Math.min(least, left)
      }
      expect(least).toBeGreaterThanOrEqual(0)
      const bought = purchases.reduce((sum, { credits }) => sum + credits, 0)
      expect([left > 0, left * 10 < bought]).toEqual([true, true])
      expect(rows.every(({ createdAt }) => createdAt < now && createdAt.getTime() > now.getTime() - 41 * DAY_MS)).toBe(true)
    }
  })

  test('has an account that its purchases and its settlements add up to', async () => {
    const { db, creditsLeft } = await seeded()
    const account = await readCredits(db, ACCOUNT)
    const entries = await db.creditEntry.findMany({ where: ACCOUNT })
    expect(entries.reduce((sum, { delta }) => sum + Number(delta), 0)).toBe(account.purchased)
    const rows = await db.history.findMany({ where: { tenantId: SEEDED_AGENT.tenantId } })
    expect([rows.filter(costCredit).length, rows.length]).toEqual([account.used, account.verifications])
    expect(creditsLeft).toBe(account.purchased - account.used)
    for (const { settlementId, delta } of entries) {
      const row = await db.history.findUniqueOrThrow({ where: { settlementId } })
      expect(row).toMatchObject({ tenantId: OPERATOR_TENANT, payer: SEEDED_AGENT.wallet, success: true })
      expect(creditsFor(BigInt(row.amount.toFixed()))).toBe(delta)
      const { state, steps, txHash } = await db.settlement.findUniqueOrThrow({
        where: { id: settlementId },
        include: { steps: { orderBy: { seq: 'asc' } } },
      })
      expect([state, txHash]).toEqual(['FINAL', row.txHash])
      const times = steps.map(({ at }) => at.getTime())
      expect(times).toEqual(times.toSorted((one, other) => one - other))
      expect(steps.find(({ to }) => to === 'INCLUDED')?.at).toEqual(row.createdAt)
    }
  })

  test('has a key, a last purchase and a use of thirty days on its screen', async () => {
    const { db } = await seeded()
    const tenant = await findAgentTenant(db, SEEDED_AGENT.wallet)
    expect(tenant?.keys.map(({ id }) => id)).toEqual([SEEDED_AGENT.keyId])
    expect(await findLastPurchase(db, ACCOUNT)).toMatchObject({ credits: 400, amount: '400000' })
    while (await noteDay(db)) {}
    for (const day of await dirtyDays(db, 1_000)) await rollDay(db, day)
    const [used] = await readKeyActivity(db, { kinds: ['wallet'], id: SEEDED_AGENT.wallet }, 30, networksIn('mainnet'))
    expect(used?.days.length).toBeGreaterThan(25)
  })

  test('loses nothing of its own to --unseed: what the wallet bought and used since stays', async () => {
    const { db, url } = await seeded()
    await db.creditAccount.updateMany({ where: ACCOUNT, data: { purchased: { increment: 100 }, used: { increment: 7 } } })
    const yesterday = new Date(Date.now() - DAY_MS)
    const day = new Date(yesterday.toISOString().slice(0, 10))
    const spend = { day, tenantId: OPERATOR_TENANT, network: 'eip155:8453' }
    await db.sponsorSpend.upsert({
      where: { day_tenantId_network: spend },
      create: { ...spend, spent: 5 },
      update: { spent: { increment: 5 } },
    })
    await db.history.create({
      data: {
        id: uuidv7(),
        settlementId: uuidv7(),
        createdAt: yesterday,
        ownerKind: 'wallet',
        ownerId: SEEDED_AGENT.wallet,
        tenantId: OPERATOR_TENANT,
        payer: SEEDED_AGENT.wallet,
        payTo: SEEDED_AGENT.wallet,
        network: 'eip155:8453',
        resource: 'https://its.own/',
        plan: 'agent',
        amount: 1,
        success: true,
      },
    })
    await unseedAt(url)
    expect(await readCredits(db, ACCOUNT)).toEqual({ purchased: 100, used: 7, verifications: 0 })
    expect(await db.creditEntry.count()).toBe(0)
    expect((await db.sponsorSpend.findMany()).map(({ spent }) => spent.toNumber())).toEqual([5])
    expect((await db.history.findMany()).map(({ resource }) => resource)).toEqual(['https://its.own/'])
    await seedAt(url, new Date())
    expect(await readCredits(db, ACCOUNT)).toEqual({ purchased: 1_300, used: 1_111, verifications: expect.any(Number) })
  })

  test('costs the gas of its transactions, and its purchases cost the operator theirs', async () => {
    const { db, url } = await seeded()
    const spentOf = async (tenantId: string) =>
      BigInt((await db.sponsorSpend.aggregate({ where: { tenantId }, _sum: { spent: true } }))._sum.spent?.toFixed() ?? 0)
    const each = gasOf({ network: 'eip155:8453' })
    const settled = await db.history.count({ where: { tenantId: SEEDED_AGENT.tenantId, success: true } })
    expect(await spentOf(SEEDED_AGENT.tenantId)).toBe(BigInt(settled) * each)
    expect(await spentOf(OPERATOR_TENANT)).toBe(3n * each)
    await unseedAt(url)
    expect(await db.sponsorSpend.count()).toBe(0)
    const wallet = SEEDED_AGENT.wallet
    expect([
      await db.settlement.count({ where: { payer: wallet } }),
      await db.creditAccount.count(),
      await db.owner.count({ where: { id: wallet } }),
    ]).toEqual([0, 0, 0])
  })
})
