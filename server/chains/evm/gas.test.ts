import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { builtInNetworks } from '../../x402/networks/built-in-networks'
import { addNetwork, type EvmNetworkId, resetNetworks } from '../../x402/networks/networks'
import { costOn, createL1Fee, feesAt, freeingFees, gasOfData, gasOn, isTooDear, raised } from './gas'

const BASE = 'eip155:8453'
const GWEI = 1_000_000_000n

beforeEach(() => {
  for (const row of builtInNetworks) addNetwork(row)
})
afterEach(resetNetworks)

const on = (slug: (typeof builtInNetworks)[number]['name']): EvmNetworkId => {
  const row = builtInNetworks.find(({ name }) => name === slug)
  return `eip155:${row?.chainId ?? 0}`
}

describe('fees', () => {
  test('follow the base fee with the tip of the network', () => {
    expect(feesAt(BASE, GWEI)).toEqual({ maxFeePerGas: 2n * GWEI + 1_000_000n, tipPerGas: 1_000_000n })
    expect(feesAt(on('polygon'), GWEI)).toEqual({ maxFeePerGas: 32n * GWEI, tipPerGas: 30n * GWEI })
  })

  test('are one price on a network with legacy fees', () => {
    expect(feesAt(on('xdc'), 8n * GWEI)).toEqual({ maxFeePerGas: 10n * GWEI, tipPerGas: 10n * GWEI })
  })

  test.each(['base', 'xdc'] as const)('of a replacement on %s are an eighth higher, or follow a price that rose', (slug) => {
    const network = slug === 'base' ? BASE : on(slug)
    const first = feesAt(network, GWEI)
    for (const price of [GWEI, 10n * GWEI]) {
      const next = raised(network, first, price)
      if (!next) throw new Error('there is no replacement')
      expect(next.maxFeePerGas).toBeGreaterThanOrEqual((first.maxFeePerGas * 9n) / 8n)
      expect(next.tipPerGas).toBeGreaterThanOrEqual((first.tipPerGas * 9n) / 8n)
      expect(next.maxFeePerGas).toBeGreaterThan(price)
    }
  })

  test.each([
    ['base', 100n],
    ['polygon', 5_000n],
    ['xdc', 500n],
  ] as const)('on %s end at the most that its row allows, also the first ones', (slug, most) => {
    const network = slug === 'base' ? BASE : on(slug)
    for (const price of [most - 31n, most, 1_000_000n]) expect(feesAt(network, price * GWEI).maxFeePerGas).toBe(most * GWEI)
    expect(isTooDear(network, (most - 31n) * GWEI)).toBe(false)
    expect(isTooDear(network, (most + 1n) * GWEI)).toBe(true)
    expect(raised(network, feesAt(network, GWEI), (most - 31n) * GWEI)?.maxFeePerGas).toBe(most * GWEI)
    expect(raised(network, feesAt(network, GWEI), (most + 1n) * GWEI)).toBeNull()
    expect(raised(network, feesAt(network, most * GWEI), GWEI)).toBeNull()
  })

  test.each(['base', 'xdc'] as const)('of a no-op on %s outbid any that the balance could pay', (slug) => {
    const network = slug === 'base' ? BASE : on(slug)
    const atMost = feesAt(network, 1_000_000n * GWEI)
    const free = freeingFees(network, atMost, GWEI, 10n ** 6n * GWEI)
    expect(free?.maxFeePerGas).toBeGreaterThanOrEqual((atMost.maxFeePerGas * 9n) / 8n)
    expect(free?.tipPerGas).toBeGreaterThanOrEqual((atMost.tipPerGas * 9n) / 8n)
    const unpayable = { maxFeePerGas: 10n ** 6n * GWEI, tipPerGas: GWEI }
    expect(freeingFees(network, unpayable, GWEI, 50n * GWEI)).toEqual(feesAt(network, GWEI))
    expect(freeingFees(network, unpayable, 60n * GWEI, 50n * GWEI)?.maxFeePerGas).toBe(50n * GWEI)
    expect(freeingFees(network, atMost, GWEI, 0n)).toBeNull()
  })

  test('of a no-op on a network with legacy fees stay at an eighth more when a node names a false price', () => {
    const earlier = feesAt(on('xdc'), 500n * GWEI)
    expect(freeingFees(on('xdc'), earlier, 10n ** 6n * GWEI, 10n ** 9n * GWEI)).toEqual(
      freeingFees(on('xdc'), earlier, 0n, 10n ** 9n * GWEI),
    )
  })
})

test('gas limits follow the prices of the network, and count its data where that costs gas', () => {
  expect([gasOn(BASE, 21_000n), gasOn(on('megaeth'), 21_000n), gasOn(on('sei'), 1n)]).toEqual([21_000n, 63_000n, 3n])
  expect([gasOfData(BASE, 500), gasOfData(on('arbitrum'), 500)]).toEqual([0n, 500_000n])
  expect(costOn(on('arbitrum'), GWEI, 100_000n)).toBe(1_100_000n * feesAt(on('arbitrum'), GWEI).maxFeePerGas)
})

describe('the price of data on the L1', () => {
  const word = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`

  test('is read from the oracle of the row, and kept while the oracle is silent', async () => {
    let answer: () => Promise<unknown> = async () => word(7n)
    const asked: unknown[] = []
    const fee = createL1Fee(on('megaeth'), (_method, [call]) => {
      asked.push(call)
      return answer()
    })
    expect(fee.known()).toBe(0n)
    await fee.refresh()
    expect(fee.known()).toBe(7n)
    expect(asked).toEqual([expect.objectContaining({ to: '0x420000000000000000000000000000000000000f' })])
    answer = () => Promise.reject(new Error('silent'))
    await fee.refresh()
    expect([fee.known(), asked.length]).toEqual([7n, 1])
  })

  test('is nothing without an oracle, and no node is asked', async () => {
    const fee = createL1Fee(BASE, () => Promise.reject(new Error('it must not be asked')))
    await fee.refresh()
    expect(fee.known()).toBe(0n)
  })
})
