import { createRemoteJWKSet, customFetch, jwtVerify } from 'jose'
import { type Hex, parseEventLogs } from 'viem'
import { expect, test } from 'vitest'
import { usdcAbi } from '../../devnet/abi'
import { fixture } from '../../test/support/fixture'
import { startHarness } from '../../test/support/service/harness'
import { newAddress, newPurchase } from '../../test/support/service/purchases'
import { newMerchant } from '../../test/support/service/surface'
import { getReceiptKeys } from './endpoints'

const harness = fixture(() => startHarness({ production: true, blockTimeSeconds: 0.5 }))

const published = createRemoteJWKSet(new URL('http://localhost:3000/.well-known/jwks.json'), {
  [customFetch]: async (url: string) =>
    getReceiptKeys.handle(
      harness.app,
      new Request(url, { headers: { 'x-quittance-client-ip': '10.0.0.9', 'x-request-id': 'test' } }),
    ),
})

test('each payment of a shared transaction has an answer that names its own log, and a receipt that signs that', async () => {
  const payTo = newAddress()
  const purchases = await Promise.all(Array.from({ length: 12 }, () => newPurchase(harness, { payTo })))
  const { v1 } = await newMerchant(harness.app)
  const answers = await Promise.all(purchases.map(({ body }) => v1.settle(body)))
  const transactions = new Set(answers.map(({ body }) => Object(body).transaction))
  expect(transactions.size).toBeLessThan(12)

  for (const [at, { body, headers }] of answers.entries()) {
    const { transaction, amount, extra, extensions } = Object(body)
    const { payer, payment } = purchases[at] ?? (await newPurchase(harness))
    expect([amount, extra.payer, extra.nonce]).toEqual(['1000', payer, payment.authorization.nonce])
    // The chain has this payer's transfer at that very place.
    const chainReceipt = await harness.chain.client.getTransactionReceipt({ hash: transaction as Hex })
    expect(chainReceipt.blockNumber).toBe(BigInt(extra.blockNumber))
    const [log] = parseEventLogs({
      abi: usdcAbi,
      logs: chainReceipt.logs.filter(({ logIndex }) => logIndex === extra.logIndex),
    })
    expect(log).toMatchObject({ eventName: 'Transfer', args: { from: payer, to: payTo, value: 1_000n } })

    const { payload } = await jwtVerify(extensions['settlement-receipt'].info.receipt, published, {
      issuer: harness.app.config.baseUrl,
    })
    expect(payload).toMatchObject({
      settlement_id: headers.get('x-settlement-id'),
      network: 'eip155:84532',
      payer,
      pay_to: payTo,
      amount: '1000',
      transaction,
      state: 'included',
      log_index: extra.logIndex,
      block_number: extra.blockNumber,
    })
  }
  expect(new Set(answers.map(({ body }) => `${Object(body).transaction} ${Object(body).extra.logIndex}`)).size).toBe(12)
})
