import type { Address } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import type { Chain } from '../../devnet/chain'
import { createChannelForge } from '../support/batch-settlement/channels'
import { rowOf } from '../support/batch-settlement/kept-channels'
import { CHANNEL_SECRETS } from '../support/batch-settlement/sellers'
import { fixture } from '../support/fixture'
import { startHarness } from '../support/service/harness'
import { newMerchant } from '../support/service/surface'
import { until } from '../support/until'
import { channelIn, newBuyer, serveKeys } from './channel-traffic'
import { PRICE } from './stream'

/** How long the storage of these tests waits for one answer, and how long for an update with all its retries. */
export const STORAGE_WAITS = { answerWithinMs: 1_000, giveUpAfterMs: 4_000 }

/** Where a merchant sells: its facilitator's URL below its key, and how long a request of its customers may take, in seconds. */
type StreamSettings = { facilitator: string; receiver: Address; maxTimeoutSeconds?: number }

/**
 * An official server that sells `/stream` and keeps its channels at the facilitator. `?charge=10` says what an answer costs, `?working=300`
 * how many milliseconds it takes, or `for ever`. The body has `answers`: how many the server has given.
 */
type StreamServer = { url: string; stop: () => Promise<void> }

/** A storage of channels of one process: what of it servers of the next release use, and what of rows is looked at here. */
type LockingStorage = {
  get: (id: string) => Promise<unknown>
  /** Writes a row, whatever is there. */
  keep: (row: unknown) => Promise<unknown>
  acquire: (id: string, pendingId: string, ttlMs: number) => Promise<boolean>
  release: (id: string, pendingId: string) => Promise<unknown>
  isHeld: (id: string, pendingId?: string) => Promise<boolean>
}

/** The package in one language. */
type Language = {
  startStream: (settings: StreamSettings, chain: Chain) => Promise<StreamServer>
  /** A storage with `STORAGE_WAITS`, or without time for a write. */
  openStorage: (facilitator: string, late?: 'late') => LockingStorage
}

/** Merchants that keep their channels at one facilitator, by the package in one language. */
export function channelSellers({ startStream, openStorage }: Language) {
  const harness = fixture(() =>
    startHarness({ production: true, env: { KYT: 'off', CHANNEL_SECRETS }, seams: { channelsEveryMs: 100 } }),
  )
  const service = fixture(async () => {
    const { stop, ...rest } = await serveKeys(harness.app)
    return { ...rest, close: stop }
  })

  /** A merchant with a key, and servers of its that keep their channels at the facilitator. */
  async function newSeller() {
    const { key, tenantId } = await newMerchant(harness.app)
    const receiver = privateKeyToAccount(generatePrivateKey()).address
    const facilitator = `${service.url}/v1/${key}`
    const { authorizers, db } = harness.app
    return {
      tenantId,
      receiver,
      facilitator,
      storage: openStorage(facilitator),
      openStorage: (late?: 'late') => openStorage(facilitator, late),
      start: (settings: Partial<StreamSettings> = {}) => startStream({ facilitator, receiver, ...settings }, harness.chain),
      /** What was charged of its vouchers, and by how many writes. */
      async usage() {
        const [used] = await db.channelUsage.findMany({ where: { tenantId } })
        return { requests: used?.requests ?? 0n, charged: BigInt(String(used?.charged ?? 0)) }
      },
      /** The service claims whatever is unclaimed, and pays it out. */
      async claimed(total: bigint) {
        await db.tenant.update({ where: { id: tenantId }, data: { claimAbove: '1' } })
        await until(async () => (await harness.chain.tokens(receiver)) === total, 'the payment', 60_000)
      },
      authorizer: authorizers.newest({ tenantId, key: { id: tenantId, version: 0 } })?.address ?? '0x',
    }
  }
  return { harness, service, newSeller }
}

/** What a merchant's package must do for official servers that keep their channels here; further tests may use what these run on. */
export function channelSales(language: Language) {
  const { harness, service, newSeller } = channelSellers(language)
  const chargedIn = async ({ get }: LockingStorage, id: string) => Object(await get(id)).chargedCumulativeAmount

  describe('an unmodified official server that keeps its channels here', () => {
    test('sells many answers through one channel, and the service claims what was charged, to the unit', async () => {
      const seller = await newSeller()
      const stream = await seller.start()
      const buyer = await newBuyer(harness.chain)
      const id = channelIn((await buyer.buy(stream.url)).receipt)
      for (let at = 1; at < 100; at++) expect(await buyer.buy(`${stream.url}?charge=10`)).toMatchObject({ status: 200 })
      const charged = PRICE + 99n * 10n
      expect(await chargedIn(seller.storage, id)).toBe(String(charged))
      expect(await seller.usage()).toEqual({ requests: 100n, charged })
      // Plain vouchers are verified where they are served.
      expect(service.asked.filter((one) => one === 'POST verify voucher').length).toBeLessThan(10)
      await seller.claimed(charged)
      await until(async () => Object(await seller.storage.get(id)).totalClaimed === String(charged), 'the claim to be seen')
      await stream.stop()
    })

    test('refunds what is left when the payer asks, and the channel is kept for the next deposit', async () => {
      const seller = await newSeller()
      const stream = await seller.start()
      const buyer = await newBuyer(harness.chain)
      const id = channelIn((await buyer.buy(stream.url)).receipt)
      expect(await buyer.scheme.refund(stream.url)).toMatchObject({ success: true })
      expect(await harness.chain.tokens(buyer.address)).toBe(1_000_000n - PRICE)
      expect(await seller.storage.get(id)).toBeUndefined()
      expect(await buyer.buy(stream.url)).toMatchObject({ status: 200 })
      expect(await chargedIn(seller.storage, id)).toBe(String(2n * PRICE))
      await stream.stop()
    })

    test('of two of its processes one serves a voucher that comes to both', async () => {
      const seller = await newSeller()
      const [one, other] = [await seller.start(), await seller.start()]
      const seen: number[] = []
      // The same signed voucher goes to both at once.
      const both: typeof fetch = async (input, init) => {
        const request = new Request(input, init)
        if (!request.headers.has('payment-signature') || seen.length === 0) {
          if (request.headers.has('payment-signature')) seen.push(200)
          return fetch(request)
        }
        const ask = ({ url }: StreamServer) => fetch(`${url}?working=300`, { headers: request.headers })
        const answers = await Promise.all([one, other].map(ask))
        seen.push(...answers.map(({ status }) => status))
        return answers.find(({ status }) => status === 200) ?? answers[0] ?? fetch(request)
      }
      const buyer = await newBuyer(harness.chain, both)
      const id = channelIn((await buyer.buy(one.url)).receipt)
      for (let at = 0; at < 4; at++) expect(await buyer.buy(one.url)).toMatchObject({ status: 200 })
      expect(seen.toSorted()).toEqual([200, 200, 200, 200, 200, 402, 402, 402, 402])
      expect(await chargedIn(seller.storage, id)).toBe(String(5n * PRICE))
      await seller.claimed(5n * PRICE)
      await Promise.all([one.stop(), other.stop()])
    })

    test('charges once when the answer of a write is lost, or the write itself', async () => {
      const seller = await newSeller()
      const stream = await seller.start()
      const buyer = await newBuyer(harness.chain)
      const id = channelIn((await buyer.buy(stream.url)).receipt)
      let writes = 0
      // Every other write fails the first time, one way or the other.
      service.faulty((method) => {
        if (method !== 'PUT' || ++writes % 2 === 0) return 'served'
        return writes % 4 === 1 ? 'answer lost' : 'lost'
      })
      for (let at = 0; at < 4; at++) expect(await buyer.buy(stream.url)).toMatchObject({ status: 200 })
      service.faulty(() => 'served')
      expect(writes).toBe(16)
      expect(await chargedIn(seller.storage, id)).toBe(String(5n * PRICE))
      expect(await seller.usage()).toEqual({ requests: 5n, charged: 5n * PRICE })
      await stream.stop()
    })

    test('serves nothing while the facilitator does not answer', async () => {
      const seller = await newSeller()
      const stream = await seller.start()
      const buyer = await newBuyer(harness.chain)
      const id = channelIn((await buyer.buy(stream.url)).receipt)
      service.faulty(() => 'lost')
      expect((await buyer.buy(stream.url)).status).toBeGreaterThanOrEqual(400)
      service.faulty(() => 'served')
      expect(await buyer.buy(stream.url)).toMatchObject({ status: 200, body: { answers: 2 } })
      expect(await chargedIn(seller.storage, id)).toBe(String(2n * PRICE))
      await stream.stop()
    })

    test('killed between reserve and commit, it has charged nothing, and another process serves when the request has run out', async () => {
      const seller = await newSeller()
      const [doomed, other] = [await seller.start({ maxTimeoutSeconds: 10 }), await seller.start({ maxTimeoutSeconds: 10 })]
      const buyer = await newBuyer(harness.chain)
      const id = channelIn((await buyer.buy(doomed.url)).receipt)
      const lost = buyer.buy(`${doomed.url}?working=for+ever`).catch(() => 'no answer')
      const read = async () => Object(await seller.storage.get(id))
      await until(async () => (await read()).pendingRequest !== undefined, 'the reservation')
      await doomed.stop()
      expect(await lost).toBe('no answer')
      expect(await read()).toMatchObject({ chargedCumulativeAmount: String(PRICE), signedMaxClaimable: String(2n * PRICE) })
      expect((await buyer.buy(other.url)).status).toBe(402)
      await until(async () => (await buyer.buy(other.url)).status === 200, 'the reservation to run out', 20_000, 500)
      expect(await chargedIn(seller.storage, id)).toBe(String(2n * PRICE))
      await seller.claimed(2n * PRICE)
      await other.stop()
    })
  })

  describe('the locks of the next release', () => {
    async function newRow({ receiver, authorizer }: { receiver: Address; authorizer: Address }) {
      const forge = createChannelForge(harness.chain, receiver, authorizer)
      const who = await forge.payer({ balance: 0n, approved: false })
      return rowOf(forge.configOf(who), who.owner, { signed: 10n, charged: 0n })
    }

    test('are held by one request of all processes, until it gives them back or they run out', async () => {
      const seller = await newSeller()
      const [one, other] = [seller.openStorage(), seller.openStorage()]
      const row = await newRow(seller)
      const id = row.channelId
      expect(await one.acquire(id, 'a', 60_000)).toBe(true)
      // A row that the server writes without the lock keeps it.
      await one.keep(row)
      expect([await other.acquire(id, 'b', 60_000), await one.acquire(id, 'c', 60_000)]).toEqual([false, false])
      expect([await other.isHeld(id), await other.isHeld(id, 'a'), await other.isHeld(id, 'b')]).toEqual([true, true, false])
      await other.release(id, 'b')
      expect(await other.isHeld(id, 'a')).toBe(true)
      await one.release(id, 'a')
      expect([await one.isHeld(id), await other.acquire(id, 'b', 300)]).toEqual([false, true])
      await until(async () => !(await one.isHeld(id)), 'the lock to run out')
      expect(await one.acquire(id, 'c', 60_000)).toBe(true)
    })

    test('are not taken by a request that lost every race', async () => {
      const seller = await newSeller()
      const row = await newRow(seller)
      await seller.storage.keep(row)
      const late = seller.openStorage('late')
      expect([await late.acquire(row.channelId, 'a', 60_000), await late.isHeld(row.channelId, 'a')]).toEqual([false, false])
    })
  })

  return { harness, service, newSeller }
}
