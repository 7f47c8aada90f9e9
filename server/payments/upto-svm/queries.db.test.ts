import { v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'
import { freshDatabase } from '../../../test/support/database/database'
import { claimEnd, newClaim, newTenantOf, WIDE_LIMITS } from '../../../test/support/database/ledger'
import { fixture } from '../../../test/support/fixture'
import { commitSigned, recordSvmFailed } from '../../ledger/svm/statements'
import type { SvmNetworkId } from '../../x402/networks/networks'
import { lookAgain, takeDueChannels } from './queries'

const database = fixture(freshDatabase)
const network: SvmNetworkId = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
const ROUND = { limit: 50, leaseMs: 20_000 }

/** Opens so many channels of a tenant. */
async function open(tenantId: string, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => uuidv7())
  const ends = await Promise.all(
    ids.map((id) => {
      const parties = { payer: id, payTo: 'payee', asset: 'asset', tokenProgram: 'program', feePayer: 'payer of fees' }
      const terms = { authorizer: 'authorizer', maximum: 1_000n, withdrawDelay: 900, openSlot: 1n, expiresAt: 9_999_999_999n }
      const limits = { ...WIDE_LIMITS, channelsMax: 1_000 }
      return claimEnd(
        database.db,
        newClaim({ tenantId, network, payer: id, opens: { id, ...parties, ...terms }, kind: 'escrow', limits }),
      )
    }),
  )
  expect(new Set(ends)).toEqual(new Set(['claimed']))
  return ids
}

const taken = async () => (await takeDueChannels(database.db, network, ROUND)).map(({ channel }) => channel.id)

test('a channel whose charge was lost is checked before the other channels of its tenant', async () => {
  const { db } = database
  const [busy, other] = [await newTenantOf(db), await newTenantOf(db)]
  const many = await open(busy, 60)
  const [quiet = ''] = await open(other, 1)
  await db.execute`UPDATE "UptoChannel" SET "checkAt" = now() - interval '1 hour' WHERE "tenantId" = ${busy}::uuid`
  const [lost = ''] = many
  const { claimKey } = await db.uptoChannel.findFirstOrThrow({ where: { id: lost } })
  const charge = newClaim({ tenantId: busy, network, kind: 'payment', intentKey: claimKey })
  expect(await claimEnd(db, charge)).toBe('claimed')
  const signed = { settlementId: charge.id, signature: 'signature', raw: '', fee: 5_000n, sinceSlot: 1n, checkInMs: 1_000 }
  expect(await commitSigned(db, signed)).toBe(true)
  await db.execute`UPDATE "UptoChannel" SET "checkAt" = now() + interval '1 day' WHERE "id" = ${lost}`
  const failure = { to: 'UNPAID', reason: 'settle_exact_svm_block_height_exceeded', counts: 'nowhere' } as const
  await recordSvmFailed(db, failure, [{ settlementId: charge.id, slot: null }])
  // Of each tenant in turn.
  const two = await takeDueChannels(db, network, { ...ROUND, limit: 2 })
  expect(two.map(({ channel }) => channel.id).toSorted()).toEqual([lost, quiet].toSorted())
  expect(two.find(({ channel }) => channel.id === lost)?.claim).toMatchObject({ id: charge.id, state: 'UNPAID' })
  // The busy one may have the rest, and none is taken twice.
  const [first, second] = await Promise.all([taken(), taken()])
  expect([...first, ...second, ...(await taken())].toSorted()).toEqual(many.filter((id) => id !== lost).toSorted())
  expect(await taken()).toEqual([])
})

test('a channel is looked at again when it was said, or at once if its charge was lost meanwhile', async () => {
  const { db } = database
  const [id = ''] = await open(await newTenantOf(db), 1)
  const due = (await takeDueChannels(db, network, ROUND)).find(({ channel }) => channel.id === id)
  if (!due) throw new Error('the new channel is due')
  const checkAt = async () => (await db.uptoChannel.findFirstOrThrow({ where: { id } })).checkAt.getTime()
  await lookAgain(db, network, due, 600_000)
  expect(await checkAt()).toBeGreaterThan(Date.now() + 500_000)
  await db.execute`UPDATE "UptoChannel" SET "checkAt" = to_timestamp(0) WHERE "id" = ${id}`
  await lookAgain(db, network, due, 600_000)
  expect(await checkAt()).toBe(0)
})
