import type { ChannelStorage } from '@x402/evm/batch-settlement/server'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { artifact } from '../../devnet/artifacts'
import { batchSettlementAddress } from '../../devnet/networks'
import { QuittanceChannels } from '../../packages/quittance/src/index'
import { createChannelForge } from '../support/batch-settlement/channels'
import { rowOf } from '../support/batch-settlement/kept-channels'
import { fixture } from '../support/fixture'
import { startHarness } from '../support/service/harness'
import { newMerchant } from '../support/service/surface'
import { until } from '../support/until'
import { channelIn, newBuyer, serveKeys } from './channel-traffic'
import { NETWORK, PRICE, startStream } from './stream'

const SECRET = 'the-secret-of-the-channels-of-these-tests'
const { abi } = artifact('BatchSettlement')

const harness = fixture(() => startHarness({ production: true, env: { KYT: 'off', CHANNEL_SECRETS: SECRET } }))
const service = fixture(async () => {
  const { stop, ...rest } = await serveKeys(harness.app)
  return { ...rest, close: stop }
})

/** A merchant with a key, and servers of its that keep their channels at the facilitator. */
async function newSeller() {
  const { key, tenantId } = await newMerchant(harness.app)
  const receiver = privateKeyToAccount(generatePrivateKey()).address
  const url = `${service.url}/v1/${key}`
  // The official server's own interface: the compiler compares them.
  const newStorage = (): ChannelStorage & QuittanceChannels =>
    new QuittanceChannels({ url, network: NETWORK, answerWithinMs: 1_000, giveUpAfterMs: 4_000 })
  return {
    tenantId,
    receiver,
    url,
    newStorage,
    start: (options: Parameters<typeof startStream>[3] = {}) =>
      startStream(harness.chain, url, receiver, { storage: newStorage(), ...options }),
    /** What was charged of its vouchers, and by how many writes. */
    async usage() {
      const [used] = await harness.app.db.channelUsage.findMany({ where: { tenantId } })
      return { requests: used?.requests ?? 0n, charged: BigInt(String(used?.charged ?? 0)) }
    },
    authorizer: harness.app.authorizers.newest({ tenantId, key: { id: tenantId, version: 0 } })?.address ?? '0x',
  }
}

const chargedIn = async (storage: ChannelStorage, id: string) => (await storage.get(id))?.chargedCumulativeAmount

describe('an unmodified official server that keeps its channels here', () => {
  test('sells a hundred answers through one channel, and its manager claims what was charged', async () => {
    const seller = await newSeller()
    const stream = await seller.start()
    const buyer = await newBuyer(harness.chain)
    const id = channelIn((await buyer.buy(stream.url)).receipt)
    stream.charging(10n)
    for (let at = 1; at < 100; at++) expect(await buyer.buy(stream.url)).toMatchObject({ status: 200 })
    const charged = PRICE + 99n * 10n
    const storage = seller.newStorage()
    expect(await storage.list()).toMatchObject([{ channelId: id, chargedCumulativeAmount: String(charged) }])
    expect(await seller.usage()).toEqual({ requests: 100n, charged })
    expect(await stream.manager.claim()).toMatchObject([{ vouchers: 1 }])
    const state: unknown = await harness.chain.client.readContract({
      address: batchSettlementAddress,
      abi,
      functionName: 'channels',
      args: [id],
    })
    expect(Object(state)[1]).toBe(charged)
    await until(async () => (await storage.get(id))?.totalClaimed === String(charged), 'the claim to be seen')
    // Plain vouchers are verified where they are served.
    expect(service.asked.filter((one) => one === 'POST verify voucher').length).toBeLessThan(10)
    await stream.stop()
  })

  test('refunds what is left when the payer asks, and the channel is kept for the next deposit', async () => {
    const seller = await newSeller()
    const stream = await seller.start()
    const buyer = await newBuyer(harness.chain)
    const id = channelIn((await buyer.buy(stream.url)).receipt)
    expect(await buyer.scheme.refund(stream.url)).toMatchObject({ success: true })
    expect(await harness.chain.tokens(buyer.address)).toBe(1_000_000n - PRICE)
    expect(await seller.newStorage().get(id)).toBeUndefined()
    expect(await buyer.buy(stream.url)).toMatchObject({ status: 200 })
    expect(await chargedIn(seller.newStorage(), id)).toBe(String(2n * PRICE))
    await stream.stop()
  })

  test('of two of its processes one serves a voucher that comes to both', async () => {
    const seller = await newSeller()
    const working = () => new Promise<void>((resolve) => setTimeout(resolve, 300))
    const [one, other] = [await seller.start({ working }), await seller.start({ working })]
    const seen: number[] = []
    // The same signed voucher goes to both at once.
    const both: typeof fetch = async (input, init) => {
      const request = new Request(input, init)
      if (!request.headers.has('payment-signature') || seen.length === 0) {
        if (request.headers.has('payment-signature')) seen.push(200)
        return fetch(request)
      }
      const answers = await Promise.all([one.url, other.url].map((url) => fetch(url, { headers: request.headers })))
      seen.push(...answers.map(({ status }) => status))
      return answers.find(({ status }) => status === 200) ?? answers[0] ?? fetch(request)
    }
    const buyer = await newBuyer(harness.chain, both)
    const id = channelIn((await buyer.buy(one.url)).receipt)
    for (let at = 0; at < 4; at++) expect(await buyer.buy(one.url)).toMatchObject({ status: 200 })
    expect(seen.toSorted()).toEqual([200, 200, 200, 200, 200, 402, 402, 402, 402])
    expect(await chargedIn(seller.newStorage(), id)).toBe(String(5n * PRICE))
    expect(one.answers() + other.answers()).toBe(5)
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
    expect(await chargedIn(seller.newStorage(), id)).toBe(String(5n * PRICE))
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
    expect(stream.answers()).toBe(1)
    expect(await buyer.buy(stream.url)).toMatchObject({ status: 200 })
    expect(await chargedIn(seller.newStorage(), id)).toBe(String(2n * PRICE))
    await stream.stop()
  })

  test('killed between reserve and commit, it has charged nothing, and another process serves when the request has run out', async () => {
    const seller = await newSeller()
    const other = await seller.start({ maxTimeoutSeconds: 10 })
    let dies = false
    const doomed = await seller.start({
      maxTimeoutSeconds: 10,
      working: () => (dies ? new Promise<void>(() => {}) : Promise.resolve()),
    })
    const buyer = await newBuyer(harness.chain)
    const id = channelIn((await buyer.buy(doomed.url)).receipt)
    dies = true
    const lost = buyer.buy(doomed.url).catch(() => 'no answer')
    const storage = seller.newStorage()
    await until(async () => (await storage.get(id))?.pendingRequest !== undefined, 'the reservation')
    await doomed.stop()
    expect(await lost).toBe('no answer')
    expect(await storage.get(id)).toMatchObject({
      chargedCumulativeAmount: String(PRICE),
      signedMaxClaimable: String(2n * PRICE),
    })
    expect((await buyer.buy(other.url)).status).toBe(402)
    await until(async () => (await buyer.buy(other.url)).status === 200, 'the reservation to run out', 20_000, 500)
    expect(await chargedIn(storage, id)).toBe(String(2n * PRICE))
    await other.stop()
  })
})

describe('the locks of the next release', () => {
  test('are held by one request of all processes, until it gives them back or they run out', async () => {
    const seller = await newSeller()
    const [one, other] = [seller.newStorage(), seller.newStorage()]
    const forge = createChannelForge(harness.chain, seller.receiver, seller.authorizer)
    const who = await forge.payer({ balance: 0n, approved: false })
    const row = await rowOf(forge.configOf(who), who.owner, { signed: 10n, charged: 0n })
    const id = row.channelId
    expect(await one.acquire(id, 'a', 60_000)).toBe(true)
    // A row that the server writes without the lock keeps it.
    expect(await one.updateChannel(id, () => row)).toMatchObject({ status: 'updated' })
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
    const forge = createChannelForge(harness.chain, seller.receiver, seller.authorizer)
    const who = await forge.payer({ balance: 0n, approved: false })
    const row = await rowOf(forge.configOf(who), who.owner, { signed: 10n, charged: 0n })
    const id = row.channelId
    await seller.newStorage().updateChannel(id, () => row)
    // It has no time for a write.
    const { url } = seller
    const late = new QuittanceChannels({ url, network: NETWORK, giveUpAfterMs: 0 })
    expect([await late.acquire(id, 'a', 60_000), await late.isHeld(id, 'a')]).toEqual([false, false])
  })
})

test('without a key there is no storage', () => {
  expect(() => new QuittanceChannels({ url: 'https://pay.example/sandbox', network: NETWORK })).toThrow('API key')
})
