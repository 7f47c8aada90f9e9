import { type Hex, size } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Chain, startChain } from '../../../devnet/chain'
import { eip3009Transfers, payersOf, permit2Transfers } from '../../../test/support/chain/signed-transfers'
import { createPermit2Forge, type Permit2Change, type Permit2Forge } from '../../../test/support/permit2/permit2'
import { fitting } from '../../ledger/evm/preflight'
import { readTransferLog } from '../../x402/schemes/evm-logs'
import type { EventLog, SignedTransfer } from '../../x402/schemes/evm-method'
import { methodFor } from '../../x402/schemes/evm-methods'
import { type BatchedCall, CREATION_BYTES_MAX, cappedBatch } from './capped-calls'
import { BATCH_GAS_MAX, transfersCall } from './transactions'

const NETWORK = 'eip155:84532'
/** Chains limit a transaction to this gas (EIP-7825). */
const TRANSACTION_GAS_MAX = 2n ** 24n
const relayer = privateKeyToAccount(generatePrivateKey())
const newAddress = () => privateKeyToAccount(generatePrivateKey()).address
let chain: Chain
let forge: Permit2Forge
beforeAll(async () => {
  chain = await startChain({ chainId: 84532 })
  forge = createPermit2Forge(chain)
  await chain.fund(relayer.address, 10n ** 20n)
})
afterAll(() => chain.stop())

async function mined({ to, data, gas }: { to?: Hex | null; data: Hex; gas: bigint }) {
  const hash = await chain.client.sendTransaction({ account: relayer, chain: chain.client.chain, to: to ?? null, data, gas })
  const receipt = await chain.client.waitForTransactionReceipt({ hash })
  const logs = receipt.logs.map(({ address, topics, data }): EventLog => ({ address: lower(address), topics: [...topics], data }))
  return { ...receipt, logs }
}
const lower = (hex: Hex): Hex => `0x${hex.slice(2).toLowerCase()}`

const payersIn = (logs: readonly EventLog[]) => logs.flatMap((log) => readTransferLog(log)?.from ?? [])
const proven = (carried: readonly SignedTransfer[], logs: readonly EventLog[]) =>
  carried.map((one) =>
    methodFor(one)
      .proofsIn(logs)
      .some(([name]) => name === methodFor(one).proof(one)),
  )

describe('a gas-capped batch of several contracts', () => {
  test('makes EIP-3009 and Permit2 transfers of several tokens in their order, and leaves no contract', async () => {
    const plain = await forge.token('plain')
    const carried = [
      ...(await eip3009Transfers(chain, 2)),
      ...(await permit2Transfers(forge, 2)),
      ...(await permit2Transfers(forge, 2, { token: plain })),
      ...(await permit2Transfers(forge, 1, { approved: false, extensions: forge.permitting() })),
      ...(await eip3009Transfers(chain, 1)),
    ]
    const receipt = await mined(transfersCall(NETWORK, carried, true))
    expect(payersIn(receipt.logs)).toEqual(payersOf(carried))
    expect(proven(carried, receipt.logs)).toEqual(carried.map(() => true))
    expect(await chain.client.getCode({ address: receipt.contractAddress ?? '0x' })).toBeUndefined()
  })

  test('in which one of each contract fails makes the others', async () => {
    const [usdc, permits] = [await eip3009Transfers(chain, 3), await permit2Transfers(forge, 3)]
    const spoilt = [usdc, permits].flatMap((some) =>
      some.map((one, at) => (at === 1 ? { ...one, signature: some[0]?.signature ?? '0x' } : one)),
    )
    const { logs } = await mined(transfersCall(NETWORK, spoilt, true))
    expect(proven(spoilt, logs)).toEqual([true, false, true, true, false, true])
  })

  test('gives every call exactly its gas, even if those before it burn theirs', async () => {
    // Data that begins with a zero word logs the gas at its first instruction; anything else burns everything.
    const probes = [newAddress(), newAddress(), newAddress()].map(lower)
    for (const address of probes) await chain.client.setCode({ address, bytecode: '0x5a5f35600c575f5260205fa0005b600c56' })
    const calls: BatchedCall[] = Array.from({ length: 45 }, (_, at) => ({
      // Runs of one, two and more calls, and contracts that come back.
      to: probes[Math.floor(at / 4) % 3] ?? '0x',
      gas: 30_000n + 1_000n * BigInt(at),
      data: `0x${(at % 5 === 4 ? '00' : '01').repeat(32)}`,
    }))
    const { logs } = await mined(cappedBatch(calls))
    const logging = calls.filter((_, at) => at % 5 === 4)
    expect(logs.map(({ address, data }) => [address, BigInt(data)])).toEqual(logging.map(({ to, gas }) => [to, gas - 2n]))
  })

  test('passes on data of any length, unchanged', async () => {
    // CALLDATASIZE PUSH0 PUSH0 CALLDATACOPY CALLDATASIZE PUSH0 LOG0 STOP
    const probes = [newAddress(), newAddress()].map(lower)
    for (const address of probes) await chain.client.setCode({ address, bytecode: '0x365f5f37365fa000' })
    const calls: BatchedCall[] = [0, 1, 31, 32, 33, 388, 1_000, 5_000, 0, 2].map((length, at) => ({
      to: probes[at % 2] ?? '0x',
      gas: 200_000n,
      data: `0x${Buffer.alloc(length, at + 1).toString('hex')}`,
    }))
    const { logs } = await mined(cappedBatch(calls))
    expect(logs.map(({ address, data }) => [address, data])).toEqual(calls.map(({ to, data }) => [to, data]))
  })
})

describe('30 payments by Permit2', () => {
  test('fit in one transaction, and each is proven by its receipt', async () => {
    const carried = await permit2Transfers(forge, 30)
    const call = transfersCall(NETWORK, carried, false)
    expect([call.to, size(call.data) < CREATION_BYTES_MAX, call.gas < TRANSACTION_GAS_MAX]).toEqual([null, true, true])
    const { logs } = await mined(call)
    expect(proven(carried, logs)).toEqual(carried.map(() => true))
  })
})

describe('the limits of a transaction', () => {
  const copies = <T extends SignedTransfer>(one: T, count: number): SignedTransfer[] =>
    Array.from({ length: count }, (_, at) => ({ ...one, authorization: { ...one.authorization, value: BigInt(at + 1) } }) as T)
  const queued = (transfer: SignedTransfer) => ({
    settlementId: '',
    party: '',
    tier: '',
    asset: transfer.asset,
    transfer,
    expiresAt: 0n,
    claimedAt: 0n,
    baseFee: 0n,
    judgedAt: 0,
    until: 0,
    alone: false,
  })

  test.each([
    ['Permit2', {}],
    ['Permit2 with a permit', { approved: false, permitted: true }],
  ])(
    'hold for as many payments by %s as share one',
    async (_, { permitted, ...change }: Permit2Change & { permitted?: boolean }) => {
      const [one] = await permit2Transfers(forge, 1, { ...change, ...(permitted ? { extensions: forge.permitting() } : {}) })
      if (!one) throw new Error('there is one')
      const { fit, rest } = fitting(NETWORK, copies(one, 100).map(queued))
      expect(fit.length).toBeGreaterThan(50)
      expect(rest.length).toBeGreaterThan(0)
      const call = transfersCall(
        NETWORK,
        fit.map(({ transfer }) => transfer),
        true,
      )
      expect([call.to, size(call.data) < CREATION_BYTES_MAX, call.gas < TRANSACTION_GAS_MAX]).toEqual([null, true, true])
      expect(call.gas).toBeGreaterThan(BATCH_GAS_MAX - methodFor(one).gas(one).inBatch)
    },
  )

  test('hold with signatures of wallets, which go through Multicall3 where a program is too long', async () => {
    const [one] = await permit2Transfers(forge, 1)
    if (!one) throw new Error('there is one')
    const long = copies({ ...one, signature: `0x${'ab'.repeat(2_048)}`, proof: 'code' as const }, 40)
    const call = transfersCall(NETWORK, long, true)
    expect([call.to, size(call.data) > CREATION_BYTES_MAX, call.gas < TRANSACTION_GAS_MAX]).toEqual([
      chain.multicall.toLowerCase(),
      true,
      true,
    ])
  })
})

describe('the gas limit of a transfer by Permit2', () => {
  test.each<[string, () => Promise<Permit2Change>]>([
    ['of a token with permits', async () => ({})],
    ['of USDC', async () => ({ token: chain.usdc })],
    ['with a permit', async () => ({ approved: false, extensions: forge.permitting() })],
    ['of a smart wallet', async () => ({ payer: 'wallet' })],
    ['of a delegated key', async () => ({ payer: 'delegated key' })],
  ])('%s to a new recipient leaves a third of what it needs to spare', async (_, change) => {
    const payTo = newAddress()
    const [one] = await permit2Transfers(forge, 1, { ...(await change()), signed: { to: payTo }, requirements: { payTo } })
    if (!one) throw new Error('there is one')
    const { to, data, gas } = transfersCall(NETWORK, [one], false)
    // Before refunds, which come after the last instruction.
    const needs = await chain.client.estimateGas({ account: relayer, to, data })
    expect(gas).toBeGreaterThan((needs * 4n) / 3n)
  })
})
