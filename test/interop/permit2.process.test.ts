import { setTimeout } from 'node:timers/promises'
import { HTTPFacilitatorClient } from '@x402/core/http'
import { declareEip2612GasSponsoringExtension, declareErc20ApprovalGasSponsoringExtension } from '@x402/extensions'
import { type Hex, maxUint256 } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { usdcAbi } from '../../devnet/abi'
import { startChain } from '../../devnet/chain'
import { startMerchant } from '../../devnet/merchant'
import { permit2Address } from '../../devnet/networks'
import { createPayer, keyOn } from '../../devnet/payer'
import { fundedKey } from '../support/chain/funded-key'
import { freshDatabase } from '../support/database/database'
import { fixture } from '../support/fixture'
import { startServiceProcess } from '../support/service/process'
import { wallet } from './official-clients'

const NETWORK = 'eip155:84532'
const PRICE = 3_000n

const all = fixture(async () => {
  const [database, chain] = await Promise.all([freshDatabase(), startChain({ chainId: 84532, blockTimeSeconds: 0.2 })])
  const service = await startServiceProcess({
    DATABASE_URL: database.url,
    BASE_SEPOLIA_RPC_URL: chain.url,
    KYT: 'off',
    SPONSORED_APPROVAL_MAX: '0.001',
    EVM_SANDBOX_SIGNER_KEYS: await fundedKey(chain),
  })
  const close = () => service.kill('SIGTERM').then(() => Promise.all([database.close(), chain.stop()]))
  return { chain, url: `${service.url}/sandbox`, close }
})

/** Buys once with `@x402/fetch` from `@x402/express`, whose only price is in USDC by Permit2, with these extensions. */
async function buy(key: Hex, payTo: Hex, extensions: Record<string, unknown> = {}) {
  const extra = { name: 'USDC', version: '2', assetTransferMethod: 'permit2' }
  const price = { amount: String(PRICE), asset: all.chain.usdc, extra }
  const merchant = await startMerchant({ facilitatorUrl: all.url, payTo, network: NETWORK, price, extensions })
  const payer = createPayer(keyOn(all.chain.client, key))
  try {
    for (;;) {
      const paid = await payer.pay(`${merchant.url}/weather`)
      // The sandbox takes five requests a second, and a quick machine makes more.
      if (paid.receipt?.errorReason !== 'rate_limit_exceeded') return paid
      await setTimeout(1_000)
    }
  } finally {
    await merchant.stop()
  }
}

/** The payer lets Permit2 take its USDC, by a transaction of its own. */
async function approve(key: Hex): Promise<void> {
  const { client, usdc } = all.chain
  const account = privateKeyToAccount(key)
  await all.chain.fund(account.address, 10n ** 18n)
  const approval = { address: usdc, abi: usdcAbi, functionName: 'approve', args: [permit2Address, maxUint256] } as const
  await client.waitForTransactionReceipt({ hash: await client.writeContract({ ...approval, account, chain: client.chain }) })
}

const newRecipient = () => privateKeyToAccount(generatePrivateKey()).address

describe('unmodified official clients pay by Permit2', () => {
  test.each([
    ["after an approval of the payer's own", {}, approve],
    ['with a permit, without ether', declareEip2612GasSponsoringExtension(), async () => {}],
    ['with a signed approval that we send first, without ether', declareErc20ApprovalGasSponsoringExtension(), async () => {}],
  ])('%s', async (_, extensions, before) => {
    const [key, payTo] = [await wallet(all.chain), newRecipient()]
    await before(key)
    const paid = await buy(key, payTo, extensions)
    const { address: payer } = privateKeyToAccount(key)
    expect(paid).toMatchObject({ status: 200, body: { city: 'Lisbon' }, receipt: { success: true, network: NETWORK, payer } })
    const receipt = await all.chain.client.getTransactionReceipt({ hash: `0x${paid.receipt?.transaction.slice(2)}` })
    expect(receipt.status).toBe('success')
    expect(await all.chain.tokens(payTo)).toBe(PRICE)
  })

  test('without an approval: the merchant answers 412 with our reason, and nothing moves', async () => {
    const [key, payTo] = [await wallet(all.chain), newRecipient()]
    expect(await buy(key, payTo)).toMatchObject({ status: 412, problem: 'permit2_allowance_required', receipt: undefined })
    expect(await all.chain.tokens(payTo)).toBe(0n)
  })

  test('because /supported names both ways to sponsor an approval', async () => {
    const { extensions } = await new HTTPFacilitatorClient({ url: all.url }).getSupported()
    expect(extensions).toEqual(['bazaar', 'eip2612GasSponsoring', 'erc20ApprovalGasSponsoring'])
  })
})
