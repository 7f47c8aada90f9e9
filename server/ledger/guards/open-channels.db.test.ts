import { v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'
import { freshDatabase } from '../../../test/support/database/database'
import { claimEnd, newClaim, newTenantOf, WIDE_LIMITS } from '../../../test/support/database/ledger'
import { fixture } from '../../../test/support/fixture'
import { stepKey } from '../../x402/intent'
import { commitSigned, recordSvmIncluded } from '../svm/statements'
import type { BoundFacts } from './guard'
import { openChannels } from './open-channels'

const database = fixture(freshDatabase)

/** A claim that opens a channel of its own. */
function opening(tenantId: string, limits: object, of: object = {}) {
  const id = uuidv7()
  const opens = {
    id,
    payer: 'payer',
    payTo: 'payee',
    asset: 'asset',
    tokenProgram: 'program',
    feePayer: 'fee payer',
    authorizer: 'authorizer',
    maximum: 1_000n,
    withdrawDelay: 900,
    openSlot: 1n,
    expiresAt: 1n,
  }
  return newClaim({
    tenantId,
    payer: id,
    opens,
    kind: 'escrow',
    limits: { ...WIDE_LIMITS, channelsMax: 1_000, ...limits },
    ...of,
  })
}

test.each([
  ['of a network', { channelsMax: 3 }, {}],
  ['of a key without a charge', { ownChannelsMax: 3 }, {}],
  ['of a key', { keyChannelsMax: 3 }, {}],
  ['of a payer', { payerChannelsMax: 3 }, { payer: 'one payer' }],
  ['of all keys that cost nothing', { freeChannelsMax: 3 }, { freeFrom: '10.0.0.0/24' }],
])('the open channels %s are bounded exactly, also when many are opened at once', async (what, limits, of) => {
  const network = `solana:${what}`
  const tenantId = await newTenantOf(database.db)
  const open = () => claimEnd(database.db, opening(tenantId, limits, { network, ...of }))
  const ends = await Promise.all(Array.from({ length: 6 }, open))
  expect(ends.toSorted()).toEqual(['claimed', 'claimed', 'claimed', 'open channels', 'open channels', 'open channels'])
  await database.db
    .execute`UPDATE "UptoChannel" SET "closedAt" = now() WHERE "id" = (SELECT min("id") FROM "UptoChannel" WHERE "network" = ${network})`
  expect([await open(), await open()]).toEqual(['claimed', 'open channels'])
})

test('a channel whose charge landed counts for its network and the share of its key, not for its payer', async () => {
  const tenantId = await newTenantOf(database.db)
  const network = 'solana:charged'
  const open = (limits: object) => claimEnd(database.db, opening(tenantId, limits, { network, payer: 'charged' }))
  const own = { ownChannelsMax: 1, payerChannelsMax: 1 }
  expect([await open(own), await open(own)]).toEqual(['claimed', 'open channels'])
  const { id, claimKey } = await database.db.uptoChannel.findFirstOrThrow({ where: { network } })
  expect(Buffer.from(claimKey).toString('hex')).toBe(stepKey(network, id, 'claim').slice(2))
  const charge = newClaim({ tenantId, network, kind: 'payment', intentKey: claimKey })
  expect(await claimEnd(database.db, charge)).toBe('claimed')
  // One that has not landed may fail.
  expect(await open(own)).toBe('open channels')
  const signed = { settlementId: charge.id, signature: 'signature', raw: '', fee: 5_000n, sinceSlot: 1n, checkInMs: 1_000 }
  expect(await commitSigned(database.db, signed)).toBe(true)
  expect(await open(own)).toBe('open channels')
  expect(await recordSvmIncluded(database.db, [{ settlementId: charge.id, slot: 2n }], 1_000)).toEqual([charge.id])
  expect([await open({ ...own, channelsMax: 1 }), await open({ ...own, keyChannelsMax: 1 })]).toEqual(
    Array(2).fill('open channels'),
  )
  expect(await open(own)).toBe('claimed')
})

test('the channels of keys that cost nothing leave the others to the rest', async () => {
  const [free, paid] = [await newTenantOf(database.db), await newTenantOf(database.db)]
  const open = (tenantId: string, freeFrom: string | null) =>
    claimEnd(database.db, opening(tenantId, { freeChannelsMax: 1 }, { network: 'solana:shared', freeFrom }))
  expect([await open(free, '10.0.0.0/24'), await open(free, '10.0.0.0/24'), await open(paid, null)]).toEqual([
    'claimed',
    'open channels',
    'claimed',
  ])
})

test.each([
  [1_000, null, 250],
  [1_000, 1n, 25],
  [3, null, 1],
  [3, 1n, 1],
])('of %i channels, with the common budget %s, a key may have %i open', (opensChannel, free, most) => {
  const facts: BoundFacts = {
    proof: 'own bytes',
    gasEach: 1n,
    approving: null,
    approvalMax: 0n,
    budgets: { own: 1n, free },
    decimals: 6,
    preconfirmed: false,
    secondChargeSeconds: null,
    opensChannel,
    horizonMs: 1,
  }
  expect(openChannels.limit(facts)).toMatchObject({ channelsMax: opensChannel, keyChannelsMax: most })
})
