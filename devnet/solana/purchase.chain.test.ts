import { x402Facilitator } from '@x402/core/facilitator'
import { toFacilitatorSvmSigner } from '@x402/svm'
import { ExactSvmScheme } from '@x402/svm/exact/facilitator'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { serveFacilitator } from '../../test/support/nodes/official-facilitator'
import { startMerchant } from '../merchant'
import { createPayer } from '../payer'
import { addressOf, newSecretKey, signerOf } from './keys'
import { type Solana, startSolana } from './solana'

const evm = generatePrivateKey()
const feePayer = newSecretKey()
const merchantKey = newSecretKey()
let chain: Solana
let facilitator: Awaited<ReturnType<typeof serveFacilitator>>

beforeAll(async () => {
  chain = await startSolana({ cluster: 'mainnet', slotMs: 200 })
  await Promise.all([chain.airdrop(addressOf(feePayer), 1_000_000_000n), chain.openAccount(addressOf(merchantKey))])
  const signer = toFacilitatorSvmSigner(await signerOf(feePayer), { defaultRpcUrl: chain.url })
  facilitator = await serveFacilitator(new x402Facilitator().register(chain.network, new ExactSvmScheme(signer)))
})
afterAll(async () => {
  await facilitator.close()
  await chain.stop()
})

const startSeller = () =>
  startMerchant({
    facilitatorUrl: facilitator.url,
    payTo: privateKeyToAddress(evm),
    solanaPayTo: addressOf(merchantKey),
    network: chain.network,
  })

test('the sample merchant sells on Solana, the sample payer buys, and the official facilitator settles', async () => {
  const secretKey = newSecretKey()
  await chain.mintTo(addressOf(secretKey), 100_000n)
  const merchant = await startSeller()
  try {
    const paid = await createPayer(evm, { secretKey, nodes: { [chain.network]: chain.url } }).pay(`${merchant.url}/almanac`)
    const terms = { network: chain.network, payer: addressOf(secretKey) }
    expect(paid).toMatchObject({
      status: 200,
      amount: 20_000n,
      payTo: addressOf(merchantKey),
      receipt: { success: true, ...terms },
    })
    expect([await chain.tokens(addressOf(secretKey)), await chain.tokens(addressOf(merchantKey))]).toEqual([80_000n, 20_000n])
  } finally {
    await merchant.stop()
  }
})

test('a payer without money gets a second 402, and nothing moves', async () => {
  const before = await chain.tokens(addressOf(merchantKey))
  const merchant = await startSeller()
  try {
    const wallet = { secretKey: newSecretKey(), nodes: { [chain.network]: chain.url } }
    expect(await createPayer(evm, wallet).pay(`${merchant.url}/almanac`)).toMatchObject({ status: 402 })
    expect(await chain.tokens(addressOf(merchantKey))).toBe(before)
  } finally {
    await merchant.stop()
  }
})
