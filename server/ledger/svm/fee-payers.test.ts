import { afterEach, describe, expect, test } from 'vitest'
import { testLog } from '../../../test/support/logs'
import { newSvmKey } from '../../../test/support/svm/harness'
import { until } from '../../../test/support/until'
import { createSvmSigner } from '../../chains/svm/signer'
import { LATER_FEES } from '../../x402/schemes/upto/svm/program'
import { type FeePayers, type FeeUse, startFeePayers } from './fee-payers'

/** What an account without data has to keep, and what five payments may cost. */
const [RENT, RESERVE] = [890_880n, 100_000n]
const FEE = 10_001n

let running: FeePayers | undefined
afterEach(() => running?.stop())

/** One fee payer on a cluster whose balance is what the test says. */
async function onePayer(initially: bigint) {
  const world = { balance: initially, checks: 0, expected: true }
  const signer = createSvmSigner(newSvmKey().secret)
  const chain = {
    network: 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1' as const,
    isExpected: async () => world.expected,
    balances: async () => {
      world.checks++
      return [world.balance]
    },
  }
  const payers = startFeePayers({
    chain,
    signers: { sandbox: [signer], production: [] },
    maxFee: 20_000n,
    channels: 10n,
    log: testLog(),
  })
  running = payers
  await until(() => payers.all().every(({ status }) => status !== 'starting'), 'a first check')
  const statusOf = () => payers.find(signer.address)?.status
  const reserve = (use: FeeUse = 'payment') => payers.reserve(signer.address, FEE, use)
  return { world, payers, reserve: () => reserve(), reserveFor: reserve, statusOf }
}

describe('a fee payer', () => {
  test('reserves the fees in flight: it never signs for more than it can pay', async () => {
    const { reserve } = await onePayer(RENT + RESERVE)
    const reserved = Array.from({ length: 14 }, reserve)
    expect(reserved.filter(Boolean)).toHaveLength(9)
    expect(reserved.slice(9)).toEqual([null, null, null, null, null])
  })

  test('keeps ended fees reserved until its balance is read', async () => {
    const { world, reserve } = await onePayer(RENT + RESERVE)
    const reserved = Array.from({ length: 9 }, reserve)
    const checks = world.checks
    // All of them landed, and the cluster says so only when it is asked.
    world.balance -= 9n * FEE
    for (const end of reserved) end?.()
    expect(reserve()).toBeNull()
    world.balance += RESERVE
    await until(() => world.checks > checks && reserve() !== null, 'a check after that')
  })

  test('with too little is out of service, and back by itself', async () => {
    const { world, reserve, statusOf } = await onePayer(RENT + RESERVE - 1n)
    expect([statusOf(), reserve()]).toEqual(['low balance', null])
    world.balance += 1n
    await until(() => statusOf() === 'ready', 'the fee payer to be ready')
  })

  test('opens no channel unless payments and the later steps of all channels stay paid for', async () => {
    const { world, reserveFor, statusOf } = await onePayer(RENT + RESERVE + 10n * LATER_FEES + FEE - 1n)
    expect([statusOf(), reserveFor('opening')]).toEqual(['ready', null])
    reserveFor('payment')?.()
    world.balance += 1n
    await until(() => reserveFor('opening') !== null, 'room for a channel')
  })

  test('with too little still pays for what brings the rent of channels back, and for nothing else', async () => {
    const { reserveFor, statusOf } = await onePayer(RENT + FEE)
    expect([statusOf(), reserveFor('payment'), reserveFor('opening')]).toEqual(['low balance', null, null])
    expect([reserveFor('ending') !== null, reserveFor('ending')]).toEqual([true, null])
  })

  test('on another cluster pays for nothing', async () => {
    const { world, reserve, statusOf } = await onePayer(RENT - 1n)
    world.expected = false
    await until(() => statusOf() === 'wrong chain', 'the fee payer to see it')
    expect(reserve()).toBeNull()
  })

  test('that is not ours pays for nothing', async () => {
    const { payers } = await onePayer(RENT + RESERVE)
    expect(payers.reserve(newSvmKey().address, FEE, 'payment')).toBeNull()
  })
})
