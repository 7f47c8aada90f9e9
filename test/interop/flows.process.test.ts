import { x402HTTPClient } from '@x402/core/client'
import { registerExactEvmScheme } from '@x402/evm/exact/client'
import { x402Client } from '@x402/fetch'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { startMerchant } from '../../devnet/merchant'
import { createPayer } from '../../devnet/payer'
import { newAddress } from '../support/service/purchases'
import { until } from '../support/until'
import { wallet } from './official-clients'
import { officialFlows } from './official-flows'

const PRICE = 1_000n
const network = 'eip155:84532'

const { chain, node, facilitator, withhold, calmAfterSettle, settles, reopen, receiptIn } = officialFlows()
const routes = () =>
  facilitator()
    .passed.map(({ route }) => route)
    .filter((route) => route !== 'supported')

/** A merchant that runs while `use` does. */
async function selling<T>(paymentFlow: 'authorization' | 'upfront', payTo: Hex, use: (url: string) => Promise<T>): Promise<T> {
  const extra = paymentFlow === 'upfront' ? { paymentFlow } : {}
  const merchant = await startMerchant({ facilitatorUrl: facilitator().url, payTo, network, extra })
  return use(`${merchant.url}/weather`).finally(merchant.stop)
}

/** The header of one signed payment, which a buyer may send again. */
async function paymentFor(url: string, key: Hex): Promise<Record<string, string>> {
  const client = registerExactEvmScheme(new x402Client(), { signer: privateKeyToAccount(key) })
  const http = new x402HTTPClient(client)
  const challenge = await fetch(url)
  const required = http.getPaymentRequiredResponse((name) => challenge.headers.get(name), await challenge.text())
  return http.encodePaymentSignatureHeader(await client.createPaymentPayload(required))
}

describe.each(['authorization', 'upfront'] as const)('official servers of the flow %s', (flow) => {
  test('sell, and hand the buyer the amount, the log and the signed receipt', async () => {
    const [key, payTo] = [await wallet(chain()), newAddress()]
    const paid = await selling(flow, payTo, (url) => createPayer(key).pay(url))
    expect(routes()).toEqual(flow === 'upfront' ? ['settle'] : ['verify', 'settle'])
    const { address: payer } = privateKeyToAccount(key)
    const { transaction, amount, extra, extensions } = Object(paid.receipt)
    expect([paid.status, amount, extra.payer, extra.finality]).toEqual([200, '1000', payer, 'included'])
    expect(await receiptIn(extensions)).toMatchObject({
      transaction,
      amount,
      payer,
      pay_to: payTo,
      log_index: extra.logIndex,
      block_number: extra.blockNumber,
    })
  })

  test('ask once more for a payment that is pending, byte for byte: paid once, served once', async () => {
    const [key, payTo] = [await wallet(chain()), newAddress()]
    withhold()
    calmAfterSettle()
    const paid = await selling(flow, payTo, (url) => createPayer(key).pay(url))
    expect(paid).toMatchObject({ status: 200, receipt: { success: true } })
    const [first, second, ...others] = settles()
    expect([JSON.parse(first?.answer?.body ?? '{}').errorReason, others]).toEqual(['settlement_pending', []])
    expect(second?.body).toBe(first?.body)
    expect(await chain().tokens(payTo)).toBe(PRICE)
  })
})

test('a server that is killed while it settles: the buyer sends the same payment again later, is paid for once and served once', async () => {
  const [key, payTo] = [await wallet(chain()), newAddress()]
  withhold()
  const sent = () => node().seen.filter((method) => method === 'eth_sendRawTransaction').length
  const before = sent()
  const headers = await selling('upfront', payTo, async (url) => {
    const signed = await paymentFor(url, key)
    const asking = fetch(url, { headers: signed }).catch(() => 'cut')
    await until(() => sent() > before, 'the payment to be sent')
    return { signed, asking }
  })
  expect(await headers.asking).toBe('cut')
  // What the killed server had open ends with it.
  await reopen()
  node().calm()
  await until(async () => (await chain().tokens(payTo)) === PRICE, 'the payment to land')
  const again = () => selling('upfront', payTo, (url) => fetch(url, { headers: headers.signed }).then(({ status }) => status))
  await until(async () => (await again()) === 200, 'the buyer to be served')
  expect(await again()).toBe(402)
  expect(await chain().tokens(payTo)).toBe(PRICE)
})
