import type { Hex } from 'viem'
import { afterEach, expect, test } from 'vitest'
import { fixture } from '../../test/support/fixture'
import { type Call, type RpcProxy, startRpcProxy } from '../../test/support/nodes/faulty-node'
import { type SignedPayment, signed, v2Body } from '../../test/support/payloads/payments'
import { freshIp, post } from '../../test/support/service/client'
import { type Harness, startHarness } from '../../test/support/service/harness'
import { until } from '../../test/support/until'

/** A service with an endpoint for reads and a private one for sending, of the same chain. */
async function startPrivate(): Promise<{ harness: Harness; reads: RpcProxy; sends: RpcProxy; close: () => Promise<void> }> {
  const proxies: RpcProxy[] = []
  const env: Record<string, string> = { SETTLE_DEADLINE_MS: '1500', BATCH_MAX: '1' }
  const harness = await startHarness({
    env,
    async rpcUrl(chain) {
      proxies.push(await startRpcProxy(chain.url), await startRpcProxy(chain.url))
      env.BASE_SEPOLIA_SEND_RPC_URL = proxies[1]?.url ?? ''
      return proxies[0]?.url ?? ''
    },
  })
  const [reads, sends] = proxies
  if (!reads || !sends) throw new Error('two proxies were started')
  return {
    harness,
    reads,
    sends,
    async close() {
      await harness.close()
      await Promise.all(proxies.map((one) => one.close()))
    },
  }
}

const all = fixture(startPrivate)
afterEach(() => {
  all.sends.calm()
  // In every test the public endpoint never saw bytes, and the private one was asked only for its chain.
  expect(all.reads.seen).not.toContain(SEND)
  expect(all.sends.seen.filter((method) => method !== SEND && method !== 'eth_chainId')).toEqual([])
})

const SEND = 'eth_sendRawTransaction'
const settle = (payment: SignedPayment) =>
  post(all.harness.app, 'settle', v2Body(payment, { requirements: { payTo: payment.authorization.to } }), { ip: freshIp() })
const rowOf = ({ authorization: { from } }: SignedPayment) =>
  all.harness.app.db.settlement.findFirst({ where: { payer: from.toLowerCase() } })
const paid = ({ authorization: { to } }: SignedPayment) => all.harness.chain.tokens(to)
const lands = (payment: SignedPayment) => until(async () => (await rowOf(payment))?.state === 'FINAL', 'the payment to be final')
const newPayment = async () => signed(await all.harness.payer(), { to: newRecipient() })

let recipients = 0
const newRecipient = (): Hex => `0x${(++recipients).toString(16).padStart(40, '8')}`

test('transactions reach the send endpoint alone, and all reads the other one', async () => {
  const payment = await newPayment()
  expect(await settle(payment)).toMatchObject({ status: 200, body: { success: true } })
  await lands(payment)
  expect(all.sends.seen.filter((method) => method === SEND).length).toBeGreaterThanOrEqual(1)
  expect(all.reads.seen).toContain('eth_getTransactionReceipt')
})

test('bytes whose answer was lost go out again to the send endpoint, and pay once', async () => {
  const sent: unknown[] = []
  all.sends.disturb(({ method, params }) => {
    if (method !== SEND) return undefined
    sent.push(params[0])
    return sent.length === 1 ? 'lose the answer' : undefined
  })
  const payment = await newPayment()
  expect(await settle(payment)).toMatchObject({ body: { success: true } })
  await lands(payment)
  expect([new Set(sent).size, await paid(payment)]).toEqual([1, 1_000n])
})

test('bytes that the send endpoint took and forgot go out there again', async () => {
  const forgotten: unknown[] = []
  const forgets = ({ method, params }: Call) => {
    if (method !== SEND) return undefined
    forgotten.push(params[0])
    return { result: `0x${'11'.repeat(32)}` }
  }
  all.sends.disturb(forgets)
  const payment = await newPayment()
  expect(await settle(payment)).toMatchObject({ body: { success: false, errorReason: 'settlement_pending' } })
  await until(() => forgotten.length > 1, 'the bytes to go out again')
  all.sends.calm()
  await lands(payment)
  expect(await paid(payment)).toBe(1_000n)
})

test('while the send endpoint is down a payment is pending and others are a 503, and nothing is lost', async () => {
  all.sends.receive(() => 'cut')
  const [first, later] = [await newPayment(), await newPayment()]
  const pending = await settle(first)
  expect(pending).toMatchObject({ status: 200, body: { success: false, errorReason: 'settlement_pending' } })
  expect(pending.body.transaction).toMatch(/^0x[0-9a-f]{64}$/)
  // The lane waits for its endpoint, so this one is never signed.
  expect(await settle(later)).toMatchObject({ status: 503 })
  expect([await paid(first), await paid(later)]).toEqual([0n, 0n])
  all.sends.calm()
  await lands(first)
  expect(await paid(first)).toBe(1_000n)
  expect(await settle(later)).toMatchObject({ body: { success: true } })
  expect(await paid(later)).toBe(1_000n)
})
