import { expect, test } from 'vitest'
import { freshDatabase } from '../../../test/support/database/database'
import { newClaimed, newHash } from '../../../test/support/database/ledger'
import { fixture } from '../../../test/support/fixture'
import { takeLease } from './lanes'
import { takeUnqueued } from './returned-claims'

const database = fixture(freshDatabase)

test('one statement takes the claims of several signers, the oldest first, and so many of each at most', async () => {
  const { db } = database
  const [base, sepolia] = ['eip155:8453', 'eip155:84532'] as const
  const claimed = async (network: string, laneClass: 'sandbox' | 'production', count: number) => {
    const ids: string[] = []
    while (ids.length < count) ids.push((await newClaimed(db, { network, laneClass })).id)
    return ids
  }
  const ours = await claimed(base, 'production', 3)
  const others = await claimed(sepolia, 'sandbox', 1)
  // No signers of these are asked for.
  const foreign = [...(await claimed(base, 'sandbox', 1)), ...(await claimed(sepolia, 'production', 1))]
  const signers = [
    { network: base, class: 'production' as const, addresses: [] },
    { network: sepolia, class: 'sandbox' as const, addresses: [] },
  ]
  // An instance without a lane of these signers loses its claims to any other.
  for (const lane of signers)
    await takeLease(
      db,
      { network: lane.network, class: lane.class, address: newHash().slice(0, 42) },
      { holder: 'one', leaseMs: 60_000, stealing: false, usable: true },
    )
  const take = async (by: string) => (await takeUnqueued(db, signers, by, 2)).map(({ settlementId }) => settlementId).sort()
  expect(await take('one')).toEqual([...ours.slice(0, 2), ...others].sort())
  expect(await takeUnqueued(db, [], 'two', 2)).toEqual([])
  expect(await take('two')).toEqual(ours.slice(2))
  expect(await db.settlement.count({ where: { id: { in: foreign }, queuedBy: null } })).toBe(2)
})
