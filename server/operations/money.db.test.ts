import { expect, test } from 'vitest'
import { freshDatabase } from '../../test/support/database/database'
import { newClaimed } from '../../test/support/database/ledger'
import { fixture } from '../../test/support/fixture'
import { newOwner, tenantOf } from '../../test/support/service/history'
import { CREDIT_PRICE } from '../accounts/credit-price'
import { DAY_MS } from '../base/durations'
import { gasUsd, money } from './money'

const database = fixture(freshDatabase)
const day = (ago: number) => new Date((Math.floor(Date.now() / DAY_MS) - ago) * DAY_MS)
const asked = { range: { days: 7 }, zone: 'UTC', within: 'testnet' } as const
const NETWORK = 'eip155:84532'

const read = (filter: Parameters<typeof money>[1]) => money({ db: database.db, now: () => new Date() }, filter, asked)

test('gas is what the tenants of a filter cost on the days of the period, in the smallest unit', async () => {
  const { db } = database
  const ownerId = newOwner()
  const [one, other] = [await tenantOf(db, ownerId), await tenantOf(db, newOwner())]
  await db.sponsorSpend.createMany({
    data: [
      { tenantId: one, network: NETWORK, day: day(0), spent: '20000000000000000001' },
      { tenantId: one, network: NETWORK, day: day(6), spent: '1' },
      { tenantId: one, network: NETWORK, day: day(7), spent: '300' },
      { tenantId: one, network: 'eip155:8453', day: day(0), spent: '4000' },
      { tenantId: other, network: NETWORK, day: day(0), spent: '50' },
    ],
  })
  expect((await read({ tenantId: one })).gas).toEqual([{ network: NETWORK, spent: '20000000000000000002', usd: null }])
  expect((await read({ owner: { kinds: ['oidc'], id: ownerId } })).gas).toEqual([
    { network: NETWORK, spent: '20000000000000000002', usd: null },
  ])
  expect((await read({})).gas).toEqual([{ network: NETWORK, spent: '20000000000000000052', usd: null }])
})

test('gas is in dollars too where its coin has a price, rounded up to a millionth', () => {
  expect(gasUsd([{ network: 'eip155:8453', spent: '1000000000000000' }])).toBe(3_000_000n)
  expect(gasUsd([{ network: 'eip155:8453', spent: '1' }])).toBe(1n)
  expect(
    gasUsd([
      { network: NETWORK, spent: '5' },
      { network: 'eip155:8453', spent: '1' },
    ]),
  ).toBe(1n)
  expect([gasUsd([]), gasUsd([{ network: NETWORK, spent: '1' }])]).toEqual([null, null])
})

test('revenue is what was paid for credits less what was taken back, of one wallet or of all', async () => {
  const { db } = database
  const [kept, undone, old] = [await newClaimed(db), await newClaimed(db), await newClaimed(db)]
  const wallet = '0x1111111111111111111111111111111111111111'
  const entry = (claim: typeof kept, kind: string, delta: bigint, createdAt = new Date()) => {
    return { wallet: claim === old ? wallet : '0xother', environment: 'testnet', kind, delta, settlementId: claim.id, createdAt }
  }
  await db.creditEntry.createMany({
    data: [
      entry(kept, 'purchase', kept.amount / CREDIT_PRICE),
      entry(undone, 'purchase', undone.amount / CREDIT_PRICE),
      entry(undone, 'reversal', -(undone.amount / CREDIT_PRICE)),
      entry(old, 'purchase', 7n, day(8)),
    ],
  })
  const all = { credits: String(kept.amount / CREDIT_PRICE), paid: String(kept.amount) }
  expect((await read({})).sold).toEqual(all)
  expect((await read({ owner: { kinds: ['wallet'], id: wallet } })).sold).toEqual({ credits: '0', paid: '0' })
  expect((await read({ tenantId: await tenantOf(db, newOwner()) })).sold).toBeNull()
})
