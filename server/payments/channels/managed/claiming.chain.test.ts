import { hexToBytes, zeroAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import { CHANNEL_SECRETS, createSellers, type Seller } from '../../../../test/support/batch-settlement/sellers'
import { moveTo, newClaimed } from '../../../../test/support/database/ledger'
import { fixture } from '../../../../test/support/fixture'
import { testLog } from '../../../../test/support/logs'
import { startHarness } from '../../../../test/support/service/harness'
import { address } from '../../../../test/support/service/screening'
import { until } from '../../../../test/support/until'
import type { App } from '../../../app'
import type { Screener } from '../../../screening/screener'
import { createScreening, type Screening } from '../../../screening/screening'
import { actKey } from '../../../x402/intent'
import { REVERTS_MAX } from '../reverted'
import { claimGroup, groupsOf, payOut } from './claiming'
import { findDue, findPayouts } from './due-queries'
import { boundsOf } from './policy'
import { DEPOSIT_UNDONE } from './watch-queries'
import { followChain } from './watching'

const NETWORK = 'eip155:84532'
const DAY_MS = 86_400_000
// The worker of the service itself looks once, at its start: here a test acts. What a reorganisation took is not sent again.
const env = { KYT: 'off', CHANNEL_SECRETS, RECHECK_MS: '120000' }
const harness = fixture(() => startHarness({ production: true, env, seams: { channelsEveryMs: DAY_MS } }))
const { newSeller, opened, charge, row, claimed, acts } = createSellers(() => harness)
const bounds = boundsOf(NETWORK, 1n)
const NO_HANG_UP = new AbortController().signal

/** The one claim of what is due to a merchant. */
async function groupOf({ tenantId }: Seller) {
  const due = await findDue(harness.app.db, NETWORK, {
    bounds,
    except: [],
    spent: [],
    gasPrice: 1n,
    closing: true,
    limit: 500,
    eachMax: 500,
  })
  const [group, ...others] = groupsOf(due.filter((one) => one.tenantId === tenantId))
  if (!group || others.length > 0) throw new Error('not one claim')
  return group
}

const claimFor = async (seller: Seller, app: App = harness.app) => claimGroup(app, NETWORK, await groupOf(seller), NO_HANG_UP)

const dueTo = async ({ tenantId }: Seller) => {
  const all = await findPayouts(harness.app.db, NETWORK, { bounds, except: [], limit: 500, eachMax: 500 })
  return all.filter((one) => one.tenantId === tenantId)
}

/** The service with this screening of its keys. */
const screened = (production: Screening): App => ({ ...harness.app, screening: { ...harness.app.screening, production } })
/** A real screening by a vendor that answers so. Its time stands still, so no budget comes back. */
const screeningBy = (screener: Screener) => createScreening(screener, { log: testLog(), now: () => 1_000 })

/** What the service may screen for a merchant in a minute. */
const BUDGET = 6_000

async function spend(screening: Screening, { tenantId }: Seller, count: number): Promise<void> {
  const asker = { id: `service:${tenantId}`, perMinute: BUDGET }
  for (let at = 0; at < count; at += 2)
    await screening.screen({ payer: address(2 * at + 1_000_000), payTo: address(2 * at + 1_000_001) }, asker)
}

describe('a row of a claim that cannot go now holds up no other', () => {
  test('when the budget of its screening is spent: it waits, and is not noted as lost', async () => {
    const seller = await newSeller()
    const [first, second] = [await opened(seller), await opened(seller)]
    for (const one of [first, second]) await charge(seller, one, 2_000n)
    const screening = screeningBy(async () => 'clear')
    // Its payer and the receiver are left.
    await spend(screening, seller, BUDGET - 2)
    const waiting = await claimFor(seller, screened(screening))
    expect(waiting).toHaveLength(1)
    const [late, early] = waiting[0] === second.channelId ? [second, first] : [first, second]
    expect([await claimed(early), await claimed(late)]).toEqual([2_000n, 0n])
    expect(await row(late)).toMatchObject({ unclaimable: null })
    expect(await claimFor(seller)).toEqual([])
    expect(await claimed(late)).toBe(2_000n)
  })

  test('when the vendor has no verdict on its payer alone', async () => {
    const seller = await newSeller()
    const [unknown, other] = [await opened(seller), await opened(seller)]
    for (const one of [unknown, other]) await charge(seller, one, 2_000n)
    const silentOn = unknown.from.toLowerCase()
    const vendor: Screener = async (one) => {
      if (one === silentOn) throw new Error('no verdict')
      return 'clear'
    }
    expect(await claimFor(seller, screened(screeningBy(vendor)))).toEqual([unknown.channelId])
    expect([await claimed(other), await claimed(unknown)]).toEqual([2_000n, 0n])
    expect(await row(unknown)).toMatchObject({ unclaimable: null })
  })

  test('when its payer is flagged: that is noted, and it does not wait for anything', async () => {
    const seller = await newSeller()
    const [flagged, other] = [await opened(seller), await opened(seller)]
    for (const one of [flagged, other]) await charge(seller, one, 2_000n)
    const payer = flagged.from.toLowerCase()
    const vendor: Screener = async (one) => (one === payer ? 'flagged' : 'clear')
    expect(await claimFor(seller, screened(screeningBy(vendor)))).toEqual([])
    expect([await claimed(other), await claimed(flagged)]).toEqual([2_000n, 0n])
    expect(await row(flagged)).toMatchObject({ unclaimable: 'kyt_flagged' })
  })

  test('when its claims reverted again and again: it waits', async () => {
    const { db } = harness.database
    const seller = await newSeller()
    const [reverting, other] = [await opened(seller), await opened(seller)]
    for (const one of [reverting, other]) await charge(seller, one, 2_000n)
    for (let left = REVERTS_MAX; left > 0; left--) {
      const claimRows = [{ channelId: reverting.channelId, total: 1_500n, signed: 2_000n }]
      const of = { tenantId: seller.tenantId, caller: seller.subject, queuedBy: 'another instance' }
      const { id } = await newClaimed(db, { ...of, kind: 'claim', claimRows })
      await moveTo(db, id, 'UNPAID')
    }
    expect(await claimFor(seller)).toEqual([reverting.channelId])
    expect([await claimed(other), await claimed(reverting)]).toEqual([2_000n, 0n])
    expect(await row(reverting)).toMatchObject({ unclaimable: null })
  })

  test('when one part of a claim fails: the others are sent, and the error is thrown', async () => {
    const seller = await newSeller()
    const byKey = await opened(seller)
    // Code may decide about this one, so it goes apart.
    const byPayer = await opened(seller, { config: { payerAuthorizer: zeroAddress } })
    for (const one of [byKey, byPayer]) await charge(seller, one, 2_000n)
    // Another caller holds the very same claim.
    const intentKey = hexToBytes(actKey(['batch-claim', NETWORK, byKey.channelId, '2000']))
    await newClaimed(harness.database.db, { intentKey, kind: 'claim', queuedBy: 'another instance' })
    await expect(claimFor(seller)).rejects.toMatchObject({ refusal: 'conflict' })
    expect([await claimed(byPayer), await claimed(byKey)]).toEqual([2_000n, 0n])
  })
})

test('a payment to a receiver who is flagged is put off for a day; what was claimed stays due', async () => {
  const seller = await newSeller({ claimAbove: 1_000n })
  const channel = await opened(seller)
  await charge(seller, channel, 2_000n)
  await claimFor(seller)
  expect(await claimed(channel)).toBe(2_000n)
  const [due] = await dueTo(seller)
  if (!due) throw new Error('nothing is due')
  const flagging = screened(screeningBy(async () => 'flagged'))
  await expect(payOut(flagging, NETWORK, due, NO_HANG_UP)).rejects.toMatchObject({ refusal: 'forbidden' })
  expect(await dueTo(seller)).toEqual([])
  expect(await harness.chain.tokens(seller.receiver)).toBe(0n)
  const { channelDue } = harness.database.db
  const of = { receiver: seller.receiver.toLowerCase() }
  expect(await channelDue.count({ where: of })).toBe(1)
  await channelDue.updateMany({ where: of, data: { since: new Date(Date.now() - DAY_MS) } })
  const [again] = await dueTo(seller)
  if (!again) throw new Error('nothing is due after a day')
  await payOut(harness.app, NETWORK, again, NO_HANG_UP)
  await until(async () => (await harness.chain.tokens(seller.receiver)) === 2_000n, 'the payment')
  expect([await dueTo(seller), (await acts(seller, 'sweep')).length]).toEqual([[], 1])
})

test('a deposit that a reorganisation took between two readings of the chain freezes its channel', async () => {
  const { chain, app } = harness
  const network = app.networks.get(NETWORK)
  if (network?.family !== 'evm') throw new Error('the network is not served')
  const watching = { db: app.db, chain: network.chain, holder: 'a test', log: testLog() }
  const before = await followChain(watching, null)
  const seller = await newSeller()
  const lost = await opened(seller)
  await charge(seller, lost, 2_000n)
  const since = await chain.client.getBlockNumber()
  expect(await row(lost)).toMatchObject({ unclaimable: null })
  await chain.reorganise(Number(since - before.number))
  await followChain(watching, before)
  expect(await row(lost)).toMatchObject({ unclaimable: DEPOSIT_UNDONE })
})
