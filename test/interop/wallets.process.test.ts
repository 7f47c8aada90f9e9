import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { beforeAll, describe, expect, test } from 'vitest'
import { startMerchant } from '../../devnet/merchant'
import { createPayer } from '../../devnet/payer'
import { FACTORIES, placeFactories, UNLISTED_FACTORY, type Undeployed, undeployed } from '../support/chain/undeployed'
import { fixture } from '../support/fixture'
import { startTwoNetworks } from './official-clients'

const all = fixture(() => startTwoNetworks(() => FACTORIES))
beforeAll(() => placeFactories(all.networks.sepolia.chain))

/** Buys from a merchant of the official middleware, with the official client and this wallet. */
async function buy(wallet: Undeployed) {
  const payTo = privateKeyToAccount(generatePrivateKey()).address
  const merchant = await startMerchant({ facilitatorUrl: `${all.service.url}/sandbox`, payTo, network: 'eip155:84532' })
  try {
    const paid = await createPayer(wallet.signer).pay(`${merchant.url}/weather`)
    return { paid, received: await all.networks.sepolia.chain.tokens(payTo) }
  } finally {
    await merchant.stop()
  }
}

describe('a smart wallet with the unmodified official client', () => {
  test('pays before it is deployed, and again when it is', async () => {
    const { chain } = all.networks.sepolia
    const wallet = await undeployed(chain)
    for (const code of [undefined, expect.stringMatching(/^0x60/)]) {
      expect(await chain.client.getCode({ address: wallet.wallet })).toEqual(code)
      const { paid, received } = await buy(wallet)
      expect(paid).toMatchObject({ status: 200, receipt: { success: true, payer: wallet.wallet } })
      expect(received).toBe(1_000n)
    }
  })

  test('gets from the merchant that its factory is not allowed', async () => {
    const { paid, received } = await buy(await undeployed(all.networks.sepolia.chain, { factory: UNLISTED_FACTORY }))
    expect([paid.status, paid.problem, received]).toEqual([402, 'eip6492_factory_not_allowed', 0n])
  })
})
