import { type Address, encodeFunctionData, type Hex, parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { beforeAll, describe, expect, test } from 'vitest'
import { factoryAbi } from '../../../devnet/abi'
import { startChain } from '../../../devnet/chain'
import {
  FACTORY,
  HOSTILE_FACTORY,
  hostileCall,
  hostileEnd,
  placeFactories,
  type Undeployed,
  undeployed,
} from '../../../test/support/chain/undeployed'
import { fixture } from '../../../test/support/fixture'
import { signed } from '../../../test/support/payloads/payments'
import type { SignedTransfer } from '../../x402/schemes/evm-method'
import { methodFor } from '../../x402/schemes/evm-methods'
import { transfersCall } from './transactions'

const chain = fixture(async () => {
  const started = await startChain({ chainId: 84532 })
  return { ...started, close: started.stop }
})
const sender = privateKeyToAccount(generatePrivateKey())
const lower = (hex: Hex): Hex => `0x${hex.slice(2).toLowerCase()}`
beforeAll(async () => {
  await placeFactories(chain)
  await chain.fund(sender.address, parseEther('10'))
})

/** The transfer of a wallet's payment behind this deployment. */
async function transferOf(wallet: Undeployed, factory: Address, data = wallet.creation): Promise<SignedTransfer> {
  const { authorization } = await wallet.pay()
  const fields = { ...authorization, from: lower(authorization.from), to: lower(authorization.to) }
  const { signature } = await signed(wallet.owner, authorization)
  const deployment = { factory: lower(factory), data }
  return {
    method: 'eip3009',
    asset: lower(chain.usdc),
    authorization: fields,
    signature,
    proof: 'factory',
    byKey: false,
    deployment,
  }
}

/** Sends a transfer's transaction as a lane does. */
async function send(transfer: SignedTransfer) {
  const { data, gas } = transfersCall('eip155:84532', [transfer], false)
  const hash = await chain.client.sendTransaction({ account: sender, chain: chain.client.chain, to: null, data, gas })
  return chain.client.waitForTransactionReceipt({ hash })
}

describe('a transaction that deploys a wallet and makes its transfer', () => {
  test('fits in the gas that the claim was judged by, with the longest data that we take', async () => {
    const wallet = await undeployed(chain)
    const long = `${wallet.creation}${'11'.repeat(4_096 - (wallet.creation.length - 2) / 2)}` as const
    const transfer = await transferOf(wallet, FACTORY, long)
    const { status, gasUsed, contractAddress } = await send(transfer)
    expect([status, await chain.tokens(wallet.wallet)]).toEqual(['success', 999_000n])
    expect(gasUsed).toBeLessThan(methodFor(transfer).gas(transfer).alone)
    expect(await chain.client.getCode({ address: contractAddress ?? '0x' })).toBeUndefined()
  })

  test('pays when a stranger deployed the wallet first, also by a factory that then reverts', async () => {
    for (const factory of [FACTORY, HOSTILE_FACTORY]) {
      const wallet = await undeployed(chain, { factory })
      await chain.send(factory, wallet.creation)
      const data = factory === FACTORY ? wallet.creation : hostileEnd('fail')()
      expect((await send(await transferOf(wallet, factory, data))).status).toBe('success')
      expect(await chain.tokens(wallet.wallet)).toBe(999_000n)
    }
  })

  test('pays behind a factory that burnt its share of the gas', async () => {
    const wallet = await undeployed(chain, { factory: HOSTILE_FACTORY })
    await chain.send(HOSTILE_FACTORY, wallet.creation)
    const burning = hostileCall('burnWherePaid')(wallet.owner.address, 7n)
    const { status, gasUsed } = await send(await transferOf(wallet, HOSTILE_FACTORY, burning))
    expect([status, gasUsed > 500_000n]).toEqual(['success', true])
    expect(await chain.tokens(wallet.wallet)).toBe(999_000n)
  })

  test('reverts as a whole when the wallet gets no code', async () => {
    const wallet = await undeployed(chain)
    const other = encodeFunctionData({ abi: factoryAbi, functionName: 'create', args: [sender.address, 9n] })
    const { status, logs } = await send(await transferOf(wallet, FACTORY, other))
    expect([status, logs]).toEqual(['reverted', []])
  })
})
