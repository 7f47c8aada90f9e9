import { type Address, keccak256, toHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { fixture } from '../test/support/fixture'
import { PAY_TO } from '../test/support/payloads/payments'
import { createUptoForge, MAXIMUM, uptoProxyAbi } from '../test/support/permit2/upto'
import { startChain } from './chain'
import { uptoProxyAddress } from './networks'

const sender = privateKeyToAccount(generatePrivateKey())
const stranger = privateKeyToAccount(generatePrivateKey())

const stage = fixture(async () => {
  const chain = await startChain({ chainId: 84532 })
  return { chain, forge: createUptoForge(chain), close: () => chain.stop() }
})

const proxy = { address: uptoProxyAddress, abi: uptoProxyAbi } as const

/** Simulates a settle of a payment by an account. */
async function settles(account: Address, amount: bigint): Promise<unknown> {
  const { body } = await stage.forge.paying({ facilitator: sender.address })
  const { signature, permit2Authorization } = Object(body.paymentPayload).payload
  const { from, permitted, nonce, deadline, witness } = permit2Authorization
  const permit = {
    permitted: { ...permitted, amount: BigInt(permitted.amount) },
    nonce: BigInt(nonce),
    deadline: BigInt(deadline),
  }
  const args = [permit, amount, from, { ...witness, validAfter: BigInt(witness.validAfter) }, signature] as const
  return stage.chain.client.simulateContract({ ...proxy, account, functionName: 'settle', args })
}

test('the proxy of upto has the type hash and the text that the official packages sign', async () => {
  const { client } = stage.chain
  const text = 'Witness(address to,address facilitator,uint256 validAfter)'
  const hash = await client.readContract({ ...proxy, functionName: 'WITNESS_TYPEHASH' })
  expect([hash, keccak256(toHex(text))]).toEqual(
    Array(2).fill('0xd4171c445a74218b01d4fd8af34ff1106580ea1e36ff837e64484bfaa2253b75'),
  )
  expect(await client.readContract({ ...proxy, functionName: 'WITNESS_TYPE_STRING' })).toBe(
    `Witness witness)TokenPermissions(address token,uint256 amount)${text}`,
  )
})

test('only the named facilitator settles, at most what was signed, and never nothing', async () => {
  await expect(settles(sender.address, 1n)).resolves.toBeDefined()
  await expect(settles(sender.address, MAXIMUM)).resolves.toBeDefined()
  await expect(settles(stranger.address, 1n)).rejects.toThrow('UnauthorizedFacilitator')
  await expect(settles(PAY_TO, 1n)).rejects.toThrow('UnauthorizedFacilitator')
  await expect(settles(sender.address, MAXIMUM + 1n)).rejects.toThrow('AmountExceedsPermitted')
  // The amount is compared first.
  await expect(settles(stranger.address, MAXIMUM + 1n)).rejects.toThrow('AmountExceedsPermitted')
  await expect(settles(sender.address, 0n)).rejects.toThrow('InvalidAmount')
})
