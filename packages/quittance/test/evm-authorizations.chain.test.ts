import type { PaymentPayload, PaymentRequirements } from '@x402/core/types'
import { type Address, encodeFunctionData, type Hex, multicall3Abi } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterEach, expect, test } from 'vitest'
import { usdcAbi } from '../../../devnet/abi'
import { type Authorization, authorization, sign, usdcDomain } from '../../../devnet/authorization'
import { type Chain, startChain } from '../../../devnet/chain'
import { fixture } from '../../../test/support/fixture'
import { startRpcProxy } from '../../../test/support/nodes/faulty-node'
import { asText, innerPayload } from '../../../test/support/payloads/payments'
import { evmAuthorizations } from '../src/evm-authorizations'

const network = 'eip155:84532'
const payTo: Address = '0x209693bc6afc0c5328ba36faf03c514ef312287c'

const all = fixture(async () => {
  const chain: Chain = await startChain({ chainId: 84532 })
  const node = await startRpcProxy(chain.url)
  return { chain, node, close: () => Promise.all([chain.stop(), node.close()]) }
})
afterEach(() => all.node.calm())

const newPayer = async () => {
  const payer = privateKeyToAccount(generatePrivateKey())
  await all.chain.mint(payer.address, 10_000n)
  return payer
}
type Payer = Awaited<ReturnType<typeof newPayer>>

const from = (payer: Payer, change: Partial<Authorization> = {}) =>
  authorization({ from: payer.address, to: payTo, value: 1_000n, ...change })

/** The call with which anyone lands an authorization. */
async function landing(payer: Payer, signed: Authorization): Promise<Hex> {
  const { value, validAfter, validBefore, nonce } = signed
  const args = [signed.from, signed.to, value, validAfter, validBefore, nonce, await sign(84532, payer, signed)] as const
  return encodeFunctionData({ abi: usdcAbi, functionName: 'transferWithAuthorization', args })
}

const land = async (payer: Payer, signed: Authorization) =>
  (await all.chain.send(all.chain.usdc, await landing(payer, signed))).transactionHash

/** What the chain says of an authorization that pays a thousand units to the merchant. */
function stateOf(signed: Authorization) {
  const requirements: PaymentRequirements = {
    scheme: 'exact',
    network,
    amount: '1000',
    asset: all.chain.usdc,
    payTo,
    maxTimeoutSeconds: 60,
    extra: {},
  }
  const payload: PaymentPayload = {
    x402Version: 2,
    accepted: requirements,
    payload: asText(innerPayload({ authorization: signed, signature: '0x' })),
  }
  return evmAuthorizations({ [network]: all.node.url })(payload, requirements)
}

test('an authorization is unused, and paid in the transaction that lands it', async () => {
  const payer = await newPayer()
  const signed = from(payer)
  expect(await stateOf(signed)).toEqual({ state: 'unused' })
  const transaction = await land(payer, signed)
  expect(await stateOf(signed)).toEqual({ state: 'paid', transaction, payer: payer.address })
})

test('a transaction that used the nonce for another transfer does not count as its payment', async () => {
  const payer = await newPayer()
  const [signed, other] = [from(payer), from(payer)]
  // The payer signs the nonce of the first a second time, for a transfer to itself, and lands it with the second.
  const spent = from(payer, { nonce: signed.nonce, to: payer.address, value: 1n })
  const calls = await Promise.all([spent, other].map((one) => landing(payer, one)))
  const args = [calls.map((callData) => ({ target: all.chain.usdc, allowFailure: false, callData }))] as const
  const data = encodeFunctionData({ abi: multicall3Abi, functionName: 'aggregate3', args })
  const { transactionHash: transaction } = await all.chain.send(all.chain.multicall, data)
  expect(await stateOf(signed)).toEqual({ state: 'dead' })
  expect(await stateOf(other)).toEqual({ state: 'paid', transaction, payer: payer.address })
})

test.each(['eth_getLogs', 'eth_getTransactionReceipt'])(
  'a used authorization is not dead while %s comes from a node that lacks the block',
  async (method) => {
    const payer = await newPayer()
    const signed = from(payer)
    const transaction = await land(payer, signed)
    const lacking = { eth_getLogs: [], eth_getTransactionReceipt: null }[method]
    all.node.disturb((call) => (call.method === method ? { result: lacking } : undefined))
    expect(await stateOf(signed)).toEqual({ state: 'used' })
    all.node.disturb((call) => (call.method === method ? { error: { code: -32_000, message: 'unknown block' } } : undefined))
    expect(await stateOf(signed)).toEqual({ state: 'used' })
    all.node.calm()
    expect(await stateOf(signed)).toEqual({ state: 'paid', transaction, payer: payer.address })
  },
)

test('a payment is found behind more blocks than one request for logs covers', async () => {
  const payer = await newPayer()
  const signed = from(payer)
  const transaction = await land(payer, signed)
  // In parts, because a busy machine takes longer than a request may.
  for (let part = 0; part < 5; part++) await all.chain.mine(500)
  expect(await stateOf(signed)).toEqual({ state: 'paid', transaction, payer: payer.address })
  const spans = all.node.traffic.flatMap(({ calls }) => calls.filter(({ method }) => method === 'eth_getLogs'))
  const widest = spans.map(({ params: [asked] }) => Number(Object(asked).toBlock) - Number(Object(asked).fromBlock))
  expect(Math.max(...widest)).toBe(1_999)
})

test('a cancelled and an expired authorization are dead', async () => {
  const payer = await newPayer()
  const { timestamp } = await all.chain.client.getBlock()
  expect(await stateOf(from(payer, { validBefore: timestamp }))).toEqual({ state: 'dead' })
  const signed = from(payer, { validBefore: timestamp + 3_600n })
  const cancel = [
    { name: 'authorizer', type: 'address' },
    { name: 'nonce', type: 'bytes32' },
  ]
  const signature = await payer.signTypedData({
    domain: usdcDomain(84532),
    types: { CancelAuthorization: cancel },
    primaryType: 'CancelAuthorization',
    message: { authorizer: payer.address, nonce: signed.nonce },
  })
  const args = [payer.address, signed.nonce, signature] as const
  await all.chain.send(all.chain.usdc, encodeFunctionData({ abi: usdcAbi, functionName: 'cancelAuthorization', args }))
  expect(await stateOf(signed)).toEqual({ state: 'dead' })
})
