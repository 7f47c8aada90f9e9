import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Chain, startChain } from '../../../devnet/chain'
import { testLog } from '../../../test/support/logs'
import { signed } from '../../../test/support/payloads/payments'
import { mainAsset } from '../../x402/networks/networks'
import type { SignedTransfer } from '../../x402/schemes/evm-method'
import type { Rpc } from '../rpc'
import { checkBatch, readCodes } from './preflight'
import { createRpc } from './rpc'
import { TRIALS_MAX, trialOf } from './trials'

const NETWORK = 'eip155:84532'
const FROM = privateKeyToAccount(generatePrivateKey()).address
let chain: Chain
let rpc: Rpc
beforeAll(async () => {
  chain = await startChain({ chainId: 84532 })
  rpc = createRpc([chain.url], NETWORK, testLog())
})
afterAll(() => chain.stop())

async function transfer(money = 1_000n): Promise<SignedTransfer> {
  const payer = privateKeyToAccount(generatePrivateKey())
  if (money > 0n) await chain.mint(payer.address, money)
  return { method: 'eip3009', asset: mainAsset(NETWORK).address, ...(await signed(payer)), proof: 'key' }
}
const burn = ({ authorization: { from } }: SignedTransfer) => chain.client.setCode({ address: from, bytecode: '0x5b600056' })

test('code that burns the gas of a simulation does not delay the others: they are judged in the same check', async () => {
  const transfers = [await transfer(), await transfer(), await transfer(0n), await transfer()]
  const [burner] = transfers
  if (burner) await burn(burner)
  const found = await checkBatch(rpc, NETWORK, FROM, transfers, [])
  expect(found).toEqual([{ paid: false, hasCode: true }, ...[true, false, true].map((paid) => ({ paid, hasCode: false }))])
})

test('without code it takes one simulation and one read of all codes', async () => {
  const asked: string[] = []
  const counting: Rpc = (method, params) => {
    asked.push(method)
    return rpc(method, params)
  }
  const found = await checkBatch(counting, NETWORK, FROM, [await transfer(), await transfer(0n)], [await transfer()])
  expect(found.map(({ paid }) => paid)).toEqual([true, false])
  expect(asked).toEqual(['eth_call', 'eth_call'])
})

test('code is found at every place of a batch of a hundred', async () => {
  const transfers = await Promise.all(Array.from({ length: 100 }, () => transfer(0n)))
  const places = [0, 31, 32, 64, 91, 95, 99]
  for (const [at, one] of transfers.entries()) if (places.includes(at)) await burn(one)
  const found = await checkBatch(rpc, NETWORK, FROM, transfers, [])
  expect([...found.keys()].filter((at) => found[at]?.hasCode)).toEqual(places)
})

test('a trial of more transfers than fit is refused', () => {
  const calls = Array.from({ length: TRIALS_MAX + 1 }, () => ({ data: '0x', gas: 0n }) as const)
  expect(() => trialOf({ to: FROM, payerWord: 0 }, calls)).toThrow('at most 32')
})

test('code is read in the named block', async () => {
  const { hash } = await chain.client.getBlock()
  const wallet = await chain.deployWallet(FROM)
  expect(await readCodes(rpc, [wallet], { blockHash: hash })).toEqual(['0x'])
  const { hash: next } = await chain.client.getBlock()
  expect((await readCodes(rpc, [wallet], { blockHash: next }))[0]?.length).toBeGreaterThan(100)
})
