import { type Hex, parseEventLogs, size } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { usdcAbi } from '../../../devnet/abi'
import { type Chain, startChain } from '../../../devnet/chain'
import { readTransaction } from '../../../test/money/simulation/transaction'
import { signed } from '../../../test/support/payloads/payments'
import { mainAsset } from '../../x402/networks/networks'
import type { SignedTransfer } from '../../x402/schemes/evm-method'
import { cappedBatch } from './capped-calls'
import { createSigner } from './signer'
import { signCall, transfersCall, trialCall } from './transactions'

const NETWORK = 'eip155:84532'
const TOKEN = { method: 'eip3009', asset: mainAsset(NETWORK).address } as const
const relayer = privateKeyToAccount(generatePrivateKey())
// JUMPDEST PUSH1 0 JUMP: it burns all gas it gets.
const BURNER = '0x5b600056'
let chain: Chain
beforeAll(async () => {
  chain = await startChain({ chainId: 84532 })
  await chain.fund(relayer.address, 10n ** 20n)
})
afterAll(() => chain.stop())

async function transfers(count: number): Promise<SignedTransfer[]> {
  const payers = Array.from({ length: count }, () => privateKeyToAccount(generatePrivateKey()))
  await Promise.all(payers.map(({ address }) => chain.mint(address, 1_000n)))
  return Promise.all(payers.map(async (payer) => ({ ...TOKEN, ...(await signed(payer)), proof: 'key' as const })))
}

async function mined({ to, data, gas }: { to?: Hex | null; data: Hex; gas: bigint }) {
  const hash = await chain.client.sendTransaction({ account: relayer, chain: chain.client.chain, to: to ?? null, data, gas })
  return chain.client.waitForTransactionReceipt({ hash })
}

const payersIn = ({ logs }: Awaited<ReturnType<typeof mined>>) =>
  parseEventLogs({ abi: usdcAbi, eventName: 'Transfer', logs }).map(({ args }) => args.from.toLowerCase())
const payersOf = (carried: readonly SignedTransfer[]) => carried.map(({ authorization }) => authorization.from.toLowerCase())
const burn = (one: SignedTransfer | undefined) =>
  chain.client.setCode({ address: one?.authorization.from ?? '0x', bytecode: BURNER })

describe('a gas-capped batch', () => {
  test.each([2, 20, 100])('of %i transfers makes them in their order and leaves no contract', async (count) => {
    const carried = await transfers(count)
    const call = transfersCall(NETWORK, carried, true)
    expect(size(call.data)).toBeLessThan(49_152)
    const receipt = await mined(call)
    expect(payersIn(receipt)).toEqual(payersOf(carried))
    expect(await chain.client.getCode({ address: receipt.contractAddress ?? '0x' })).toBeUndefined()
  })

  test('costs no more than Multicall3 from 20 transfers on, and at most 30,000 gas more below', async () => {
    await transfers(1).then(([one]) => one && mined(transfersCall(NETWORK, [one], true)))
    const [two, twoByMulticall, twenty, twentyByMulticall] = [
      (await mined(transfersCall(NETWORK, await transfers(2), true))).gasUsed,
      (await mined(trialCall(NETWORK, await transfers(2)))).gasUsed,
      (await mined(transfersCall(NETWORK, await transfers(20), true))).gasUsed,
      (await mined(trialCall(NETWORK, await transfers(20)))).gasUsed,
    ]
    expect(two - twoByMulticall).toBeLessThan(30_000n)
    expect(twenty).toBeLessThan(twentyByMulticall)
  })

  test('pays all others when payers burn their gas: the first, one between, or all but the last', async () => {
    for (const burning of [[0], [7], Array.from({ length: 19 }, (_, at) => at)]) {
      const carried = await transfers(20)
      for (const at of burning) await burn(carried[at])
      const receipt = await mined(transfersCall(NETWORK, carried, true))
      expect(payersIn(receipt)).toEqual(payersOf(carried.filter((_, at) => !burning.includes(at))))
      const paid = BigInt(20 - burning.length)
      // What is spent around the calls, what a payment costs, and what a burner can burn.
      expect(receipt.gasUsed).toBeLessThan(60_000n + paid * 90_000n + BigInt(burning.length) * 106_000n)
    }
  })

  test('in which one is not paid pays the others', async () => {
    const carried = await transfers(3)
    const [first, second, third] = carried
    if (!first || !second || !third) throw new Error('three transfers')
    const receipt = await mined(transfersCall(NETWORK, [first, { ...second, signature: third.signature }, third], true))
    expect(payersIn(receipt)).toEqual(payersOf([first, third]))
  })

  test('gives every call exactly its gas, even if those before it burn theirs', async () => {
    // Data that begins with a zero word logs the gas at its first instruction; anything else burns everything.
    const probe = privateKeyToAccount(generatePrivateKey()).address
    // GAS PUSH0 CALLDATALOAD PUSH1 12 JUMPI PUSH0 MSTORE PUSH1 32 PUSH0 LOG0 STOP JUMPDEST PUSH1 12 JUMP
    await chain.client.setCode({ address: probe, bytecode: '0x5a5f35600c575f5260205fa0005b600c56' })
    for (const gas of [30_000n, 100_000n, 230_000n]) {
      const calls = Array.from({ length: 40 }, (_, at) => ({
        to: probe,
        gas,
        data: `0x${(at % 20 === 19 ? '00' : '01').repeat(32)}` as const,
      }))
      const { logs } = await mined(cappedBatch(calls))
      expect(logs.map(({ data }) => BigInt(data))).toEqual([gas - 2n, gas - 2n])
    }
  })

  test('takes data of any length', async () => {
    const carried = await transfers(2)
    const wallet = privateKeyToAccount(generatePrivateKey())
    const address = await chain.deployWallet(wallet.address)
    await chain.mint(address, 1_000n)
    const { authorization, signature } = await signed(wallet, { from: address })
    const all: SignedTransfer[] = [{ ...TOKEN, authorization, signature, proof: 'code' }, ...carried]
    expect(payersIn(await mined(transfersCall(NETWORK, all, true)))).toEqual(payersOf(all))
  })

  test('can be read from its bytes alone, as the simulation does', async () => {
    const carried = await transfers(3)
    const signer = createSigner(generatePrivateKey())
    const fees = { maxFeePerGas: 2n, tipPerGas: 1n }
    const { kind, raw } = signCall(NETWORK, signer, 7n, transfersCall(NETWORK, carried, true), fees)
    const { sender, nonce, call } = readTransaction(raw)
    expect([kind, sender, nonce, call.kind]).toEqual(['batch', signer.address, 7n, 'several'])
    expect(call.transfers.map(({ from }) => from)).toEqual(payersOf(carried))
  })
})
