import { type Address, type Hex, serializeErc6492Signature } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { beforeAll, expect, test } from 'vitest'
import { artifact } from '../../../devnet/artifacts'
import { batchSettlementAddress } from '../../../devnet/networks'
import { createChannelForge, DEPOSIT } from '../../../test/support/batch-settlement/channels'
import { FACTORIES, FACTORY, placeFactories, UNLISTED_FACTORY, undeployed } from '../../../test/support/chain/undeployed'
import { fixture } from '../../../test/support/fixture'
import { startHarness } from '../../../test/support/service/harness'
import { newClient } from '../../../test/support/service/surface'

const harness = fixture(() => startHarness({ env: FACTORIES }))
beforeAll(() => placeFactories(harness.chain))

const newAddress = (): Address => privateKeyToAccount(generatePrivateKey()).address

/** A deposit of a wallet that a factory has not deployed yet. */
async function depositThrough(factory: Address) {
  const { wallet, owner, creation } = await undeployed(harness.chain)
  const forge = createChannelForge(harness.chain, newAddress(), newAddress())
  const signature = (good: Hex) => serializeErc6492Signature({ address: factory, data: creation, signature: good })
  return { wallet, ...(await forge.deposit({ owner, from: wallet }, { signature })) }
}

test('a wallet that is not deployed yet deposits through its allowed factory, in one transaction', async () => {
  const { wallet, body, channelId } = await depositThrough(FACTORY)
  expect((await newClient(harness.app).verify(body)).body).toMatchObject({ isValid: true, payer: wallet })
  expect((await newClient(harness.app).settle(body)).body).toMatchObject({ success: true, amount: String(DEPOSIT) })
  const { abi } = artifact('BatchSettlement')
  const channel = { address: batchSettlementAddress, abi, functionName: 'channels', args: [channelId] } as const
  expect(await harness.chain.client.readContract(channel)).toEqual([DEPOSIT, 0n])
  expect(await harness.chain.client.getCode({ address: wallet })).not.toBeUndefined()
})

test('a deposit through another factory has its own reason', async () => {
  const { body } = await depositThrough(UNLISTED_FACTORY)
  expect((await newClient(harness.app).verify(body)).body).toMatchObject({
    invalidReason: 'invalid_batch_settlement_evm_eip6492_factory_not_allowed',
  })
})
