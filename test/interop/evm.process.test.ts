import { HTTPFacilitatorClient } from '@x402/core/http'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { fixture } from '../support/fixture'
import { buyV1, buyV2, startTwoNetworks, wallet } from './official-clients'

const PRICE = 1_000n

const all = fixture(startTwoNetworks)

const newRecipient = () => privateKeyToAccount(generatePrivateKey()).address
const sandbox = () => `${all.service.url}/sandbox`
const extra = { finality: expect.objectContaining({ success: 'included' }) }
const version2 = (network: string) => [
  { x402Version: 2, scheme: 'exact', network, extra: expect.objectContaining(extra) },
  {
    x402Version: 2,
    scheme: 'upto',
    network,
    extra: expect.objectContaining({ ...extra, facilitatorAddress: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/) }),
  },
  { x402Version: 2, scheme: 'batch-settlement', network, extra: expect.objectContaining(extra) },
]
const version1 = (network: string) => ({ x402Version: 1, scheme: 'exact', network })

describe('unmodified official clients through {base_url}/sandbox', () => {
  test('v2: @x402/express sells and @x402/fetch pays, USDC moves', async () => {
    const { chain, id } = all.networks.sepolia
    const [key, payTo] = [await wallet(chain), newRecipient()]
    const paid = await buyV2({ facilitatorUrl: sandbox(), key, payTo }, id)
    const { address: payer } = privateKeyToAccount(key)
    expect(paid).toMatchObject({ status: 200, receipt: { success: true, network: id, payer } })
    const receipt = await chain.client.getTransactionReceipt({ hash: `0x${paid.receipt?.transaction.slice(2)}` })
    expect(receipt.status).toBe('success')
    expect(await chain.tokens(payTo)).toBe(PRICE)
  })

  test('v2: a payer without USDC gets the reason from the merchant, and nothing moves', async () => {
    const { chain, id } = all.networks.sepolia
    const payTo = newRecipient()
    const paid = await buyV2({ facilitatorUrl: sandbox(), key: generatePrivateKey(), payTo }, id)
    expect(paid.status).toBe(402)
    expect(await chain.tokens(payTo)).toBe(0n)
  })

  test('v1: x402-express sells and x402-fetch pays, USDC moves', async () => {
    const { chain, v1 } = all.networks.sepolia
    const [key, payTo] = [await wallet(chain), newRecipient()]
    expect(await buyV1({ facilitatorUrl: sandbox(), key, payTo }, v1)).toMatchObject({
      status: 200,
      body: { weather: 'sunny' },
      receipt: { success: true, network: v1, payer: privateKeyToAccount(key).address },
    })
    expect(await chain.tokens(payTo)).toBe(PRICE)
  })

  test('the official facilitator client reads from /supported that the sandbox serves Base Sepolia', async () => {
    for (const url of [sandbox(), `${sandbox()}/`]) {
      const { kinds } = await new HTTPFacilitatorClient({ url }).getSupported()
      expect(kinds).toEqual([...version2('eip155:84532'), version1('base-sepolia')])
    }
  })
})

describe('unmodified official clients through {base_url}/v1/<KEY>', () => {
  const where = [
    { title: 'Base', here: 'base', elsewhere: 'sepolia' },
    { title: 'Base Sepolia', here: 'sepolia', elsewhere: 'base' },
  ] as const

  test.each(where)('v2: a payment on $title moves USDC there and nowhere else', async ({ here, elsewhere }) => {
    const { chain, id } = all.networks[here]
    const [key, payTo] = [await wallet(chain), newRecipient()]
    const paid = await buyV2({ facilitatorUrl: (await all.tenant()).url, key, payTo }, id)
    const { address: payer } = privateKeyToAccount(key)
    expect(paid).toMatchObject({ status: 200, receipt: { success: true, network: id, payer } })
    const receipt = await chain.client.getTransactionReceipt({ hash: `0x${paid.receipt?.transaction.slice(2)}` })
    expect(receipt.status).toBe('success')
    expect(await chain.tokens(payTo)).toBe(PRICE)
    expect(await all.networks[elsewhere].chain.tokens(payTo)).toBe(0n)
  })

  test.each(where)('v1: a payment on $title moves USDC there and nowhere else', async ({ here, elsewhere }) => {
    const { chain, v1 } = all.networks[here]
    const [key, payTo] = [await wallet(chain), newRecipient()]
    expect(await buyV1({ facilitatorUrl: (await all.tenant()).url, key, payTo }, v1)).toMatchObject({
      status: 200,
      body: { weather: 'sunny' },
      receipt: { success: true, network: v1, payer: privateKeyToAccount(key).address },
    })
    expect(await chain.tokens(payTo)).toBe(PRICE)
    expect(await all.networks[elsewhere].chain.tokens(payTo)).toBe(0n)
  })

  test('a slash at the end of the URL changes nothing', async () => {
    const { chain, id, v1 } = all.networks.base
    const [key, payTo, facilitatorUrl] = [await wallet(chain), newRecipient(), `${(await all.tenant()).url}/`]
    const paid = await buyV2({ facilitatorUrl, key, payTo }, id)
    expect(paid).toMatchObject({ status: 200, receipt: { success: true } })
    expect(await buyV1({ facilitatorUrl, key, payTo }, v1)).toMatchObject({ status: 200, receipt: { success: true } })
    expect(await chain.tokens(payTo)).toBe(2n * PRICE)
  })

  test('the official facilitator client reads /supported: both networks in both versions', async () => {
    const kinds = [...['eip155:8453', 'eip155:84532'].flatMap(version2), ...['base', 'base-sepolia'].map(version1)]
    const { url } = await all.tenant()
    for (const written of [url, `${url}/`, all.service.url]) {
      expect((await new HTTPFacilitatorClient({ url: written }).getSupported()).kinds).toEqual(kinds)
    }
  })

  test('v2: with a revoked key the middleware serves nothing, and nothing moves', async () => {
    const { chain, id } = all.networks.base
    const [key, payTo, tenant] = [await wallet(chain), newRecipient(), await all.tenant()]
    const paid = await buyV2({ facilitatorUrl: tenant.url, key, payTo }, id, () => all.revoke(tenant.id))
    // The revocation takes effect at once, so verify refuses and there is no settlement.
    expect(paid).toMatchObject({ status: 402, body: {}, receipt: undefined })
    expect(paid.body).not.toHaveProperty('city')
    expect(await chain.tokens(payTo)).toBe(0n)
  })

  test('v1: with a revoked key the middleware serves nothing, and nothing moves', async () => {
    const { chain, v1 } = all.networks.base
    const [key, payTo, tenant] = [await wallet(chain), newRecipient(), await all.tenant()]
    await all.revoke(tenant.id)
    const paid = await buyV1({ facilitatorUrl: tenant.url, key, payTo }, v1)
    expect(paid).toMatchObject({ status: 402, body: { error: 'Failed to verify payment: invalid_api_key' }, receipt: null })
    expect(await chain.tokens(payTo)).toBe(0n)
  })

  test('v2: a merchant with an invalid key fails at its start', async () => {
    const { id } = all.networks.base
    const purchase = { facilitatorUrl: `${all.service.url}/v1/qt_nothing`, key: generatePrivateKey(), payTo: newRecipient() }
    await expect(buyV2(purchase, id)).rejects.toThrow('no supported payment kinds loaded')
  })
})
