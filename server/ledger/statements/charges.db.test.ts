import { describe, expect, test } from 'vitest'
import { freshDatabase } from '../../../test/support/database/database'
import { claimEnd, newClaim, newClaimed } from '../../../test/support/database/ledger'
import { fixture } from '../../../test/support/fixture'
import { recordUncharged } from './landings'
import { isUsedElsewhere, takeLease } from './lanes'
import { takeUnqueued } from './returned-claims'
import { findIntent } from './settlements'

const database = fixture(freshDatabase)

const network = 'eip155:84532'
const [ours, other] = ['0x1563915e194d8cfba1943570603f7606a3115508', '0x5cbdd86a2fa8dc4bddd8a8f69dba48572eec07fb'] as const
const third = `0x${'33'.repeat(20)}`

const stateOf = async (id: string) => (await database.db.settlement.findUniqueOrThrow({ where: { id } })).state

describe('a charge of a maximum', () => {
  test('is stored beside the maximum, and holds the intent with what it charges', async () => {
    const { db } = database
    const claim = newClaim({ amount: 700n, maximum: 100_000n, sender: ours })
    expect(await claimEnd(db, claim)).toBe('claimed')
    const row = await db.settlement.findUniqueOrThrow({ where: { id: claim.id } })
    expect([String(row.amount), String(row.maximum), row.sender]).toEqual(['700', '100000', ours])
    expect(await findIntent(db, claim.intentKey)).toMatchObject({ id: claim.id, amount: '700' })
    expect(await claimEnd(db, { ...newClaim({ amount: 900n, maximum: 100_000n }), intentKey: claim.intentKey })).toBe('taken')
  })

  test.each([
    ['more than the maximum', { amount: 100_001n, maximum: 100_000n }],
    ['nothing of no maximum', { amount: 0n }],
  ])('of %s is refused by the database', async (_, change) => {
    const claim = newClaim(change)
    await expect(claimEnd(database.db, claim)).rejects.toThrow('Settlement_amount')
  })

  test('of nothing ends without a transaction, once, and holds its intent from then on', async () => {
    const { db } = database
    const claim = newClaim({ amount: 0n, maximum: 100_000n, sender: ours })
    expect(await claimEnd(db, claim)).toBe('claimed')
    expect([await recordUncharged(db, claim.id), await recordUncharged(db, claim.id)]).toEqual([true, false])
    expect(await stateOf(claim.id)).toBe('UNCHARGED')
    expect(await claimEnd(db, { ...newClaim({ amount: 700n, maximum: 100_000n }), intentKey: claim.intentKey })).toBe('taken')
    await expect(db.settlement.update({ where: { id: claim.id }, data: { state: 'CLAIMED' } })).rejects.toThrow()
  })

  test('of something never ends as one of nothing', async () => {
    const { id } = await newClaimed(database.db, { amount: 700n, maximum: 100_000n })
    expect(await recordUncharged(database.db, id)).toBe(false)
    await expect(database.db.settlement.update({ where: { id }, data: { state: 'UNCHARGED' } })).rejects.toThrow()
  })
})

describe('a claim that one signer must send', () => {
  const group = (...addresses: string[]) => [{ network, class: 'production' as const, addresses }]
  const take = async (...addresses: string[]) =>
    (await takeUnqueued(database.db, group(...addresses), 'one', 10)).map(({ settlementId }) => settlementId)

  const lease = (address: string) =>
    takeLease(
      database.db,
      { network, class: 'production', address },
      { holder: 'one', leaseMs: 60_000, stealing: false, usable: true },
    )

  test('is taken by an instance with that signer only; others are taken by any', async () => {
    const { db } = database
    await lease(other)
    const pinned = await newClaimed(db, { network, laneClass: 'production', sender: ours, maximum: 1_000n })
    const free = await newClaimed(db, { network, laneClass: 'production' })
    expect(await take(other)).toEqual([free.id])
    // Its instance does not hold that signer: what it queued may be taken again.
    expect(await take(other, ours)).toEqual([pinned.id])
    expect(await take(other, ours)).toEqual([pinned.id])
    await lease(ours)
    expect(await take(other, ours)).toEqual([])
  })

  test('of nothing is taken by none: nothing is sent for it', async () => {
    await newClaimed(database.db, { network, laneClass: 'production', sender: ours, amount: 0n, maximum: 1_000n })
    expect(await take(ours)).toEqual([])
  })

  test('may be left to another instance that has the signer, not to one with others', async () => {
    const { db } = database
    await takeLease(
      db,
      { network, class: 'sandbox', address: third },
      { holder: 'two', leaseMs: 60_000, stealing: false, usable: true },
    )
    const left = (sender: string | null) => isUsedElsewhere(db, { network, class: 'sandbox', sender }, 'one')
    expect([await left(null), await left(third), await left(other)]).toEqual([true, true, false])
  })
})
