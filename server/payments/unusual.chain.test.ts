import { type Address, type Hex, serializeErc6492Signature } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { fixture } from '../../test/support/fixture'
import { changed } from '../../test/support/payloads/bodies'
import { createForge, type Forged } from '../../test/support/payloads/forge'
import { startHarness } from '../../test/support/service/harness'
import { historyOf, newClient } from '../../test/support/service/surface'

const harness = fixture(startHarness)
const forge = createForge(harness)

const unusual: [string, (payTo: Address) => Promise<Forged>][] = [
  [
    'v of 0 or 1',
    (payTo) => forge.paying(payTo, { signature: (good) => `${good.slice(0, 130)}${good.endsWith('1b') ? '00' : '01'}` as Hex }),
  ],
  ['a wallet whose owner signed', (payTo) => forge.fromWallet(payTo, 'owner')],
  [
    'a deployed wallet with a wrapped signature',
    async (payTo) => {
      const good = await forge.fromWallet(payTo, 'owner')
      const wrapped = structuredClone(good.body)
      const inner = Object(Object(wrapped.paymentPayload).payload)
      inner.signature = serializeErc6492Signature({ address: harness.chain.usdc, data: '0x', signature: inner.signature })
      return { ...good, body: wrapped }
    },
  ],
  ['the end of time as its end', (payTo) => forge.paying(payTo, { signed: { validBefore: 2n ** 256n - 1n } })],
]
test.each(unusual)('a payment is good with %s', async (_, make) => {
  const payTo = privateKeyToAccount(generatePrivateKey()).address
  const { body, payer } = await make(payTo)
  const client = newClient(harness.app)
  expect((await client.verify(body)).body).toEqual({ isValid: true, payer })
  expect((await client.settle(body)).body).toMatchObject({ success: true, payer })
  expect([await harness.chain.tokens(payTo), await harness.chain.tokens(payer)]).toEqual([1_000n, 999_000n])
  expect(await historyOf(harness, payTo)).toMatchObject([{ payer: payer.toLowerCase(), success: true, errorReason: null }])
})

test('a resource URL of 8,192 characters refuses the listing, not the payment, and its receipt fits into a header', async () => {
  const payTo = privateKeyToAccount(generatePrivateKey()).address
  const { body } = await forge.paying(payTo)
  const url = `https://merchant.example/${'x'.repeat(8_167)}`
  const declared = { bazaar: { info: { input: { type: 'http', method: 'GET' } } } }
  const long = changed(changed(body, 'paymentPayload.resource.url', url), 'paymentPayload.extensions', declared)
  const client = newClient(harness.app)
  const answer = await client.settle(long)
  expect(answer.body).toMatchObject({ success: true })
  const told = JSON.parse(Buffer.from(answer.headers.get('extension-responses') ?? '', 'base64').toString())
  expect(told.bazaar).toEqual({ status: 'rejected', rejectedReason: 'the resource URL is longer than 2048 characters' })
  expect(Buffer.from(JSON.stringify(answer.body)).toString('base64').length).toBeLessThan(8_192)
  expect(await harness.app.db.history.findMany({ where: { payTo: payTo.toLowerCase() }, select: { resource: true } })).toEqual([
    { resource: url },
  ])
})
