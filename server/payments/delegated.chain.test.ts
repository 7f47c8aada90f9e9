import type { Address, Hex, LocalAccount } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { authorization, signUnder } from '../../devnet/authorization'
import { fixture } from '../../test/support/fixture'
import { PAY_TO, signed, v2Body } from '../../test/support/payloads/payments'
import { startHarness } from '../../test/support/service/harness'
import { newClient } from '../../test/support/service/surface'
import { addNetwork, networkRow } from '../x402/networks/networks'

const NETWORK = 'eip155:84532'
const original = networkRow(NETWORK)
const harness = fixture(startHarness)
/** A token that asks only keys, also of accounts with code. */
let keyToken: Address
beforeAll(async () => {
  keyToken = await harness.chain.deployToken('key')
  const { assets, ...row } = networkRow(NETWORK)
  const [usdc, ...others] = assets
  const domain = { name: 'Test Dollar', version: '1' }
  addNetwork({ ...row, assets: [usdc, ...others, { ...usdc, symbol: 'KEY', address: lower(keyToken), domain }] })
})
afterAll(() => addNetwork(original))

const lower = (address: Address): Hex => `0x${address.slice(2).toLowerCase()}`
const settled = async (body: Record<string, unknown>) => Object((await newClient(harness.app).settle(body)).body)
const selectorOf = async (hash: Hex) => (await harness.chain.client.getTransaction({ hash })).input.slice(0, 10)
/** The overload of transferWithAuthorization with v, r and s. */
const BY_PARTS = '0xe3ee160e'

/** A payer whose account has the code of a wallet that takes only another key. */
async function delegatedToOther(): Promise<LocalAccount> {
  const payer = await harness.payer()
  const other = privateKeyToAccount(generatePrivateKey())
  await harness.chain.delegate(payer, await harness.chain.deployWallet(other.address))
  return payer
}

describe('an account that its key delegated (EIP-7702)', () => {
  test("pays where its code takes the key's signature", async () => {
    const payer = await harness.payer()
    await harness.chain.delegate(payer)
    const { success, transaction } = await settled(v2Body(await signed(payer)))
    expect([success, await selectorOf(transaction)]).toEqual([true, BY_PARTS])
    expect(await harness.chain.tokens(payer.address)).toBe(999_000n)
  })

  test('cannot pay in USDC where its code refuses that', async () => {
    const body = v2Body(await signed(await delegatedToOther()))
    expect(await settled(body)).toMatchObject({ success: false, errorReason: 'invalid_exact_evm_signature', transaction: '' })
  })

  test('pays with its key in a token that asks only keys, by the call that was simulated', async () => {
    const payer = await delegatedToOther()
    await harness.chain.mint(payer.address, 1_000n, keyToken)
    const message = authorization({ from: payer.address, to: PAY_TO, value: 1_000n })
    const domain = { name: 'Test Dollar', version: '1', chainId: 84532, verifyingContract: keyToken }
    const requirements = { asset: keyToken, extra: { name: 'Test Dollar', version: '1' } }
    const body = v2Body({ authorization: message, signature: await signUnder(domain, payer, message) }, { requirements })
    const { success, transaction } = await settled(body)
    expect([success, await selectorOf(transaction)]).toEqual([true, BY_PARTS])
    expect(await harness.chain.tokens(payer.address, keyToken)).toBe(0n)
  })
})
