import { afterEach, describe, expect, test } from 'vitest'
import { networkList } from '../env/network-rows'
import { ALWAYS } from '../x402/networks/always-on-networks'
import { builtInNetworks } from '../x402/networks/built-in-networks'
import { coinUsdOf } from '../x402/networks/coin-prices'
import { addNetwork, networkRow, resetNetworks } from '../x402/networks/networks'
import { minimumAmount } from './admission'
import { freeFromOf, gasBudgetsOf, gasMaxOf, minimumOf } from './gas-budgets'

type Config = Parameters<typeof gasBudgetsOf>[0]['config']
const UNSET: Config = { gasBudgetDay: null, walletGasBudgetDay: null, freeGasUsdDay: 25 }
const MONTHLY = { by: 'month', subject: 'owner:email:a@example.com' } as const
const ofPlan = (plan: 'free' | 'growth' | 'scale' | 'agent') => ({ plan, freeFrom: null, metered: MONTHLY })
const FREE = { plan: 'free', freeFrom: '192.0.2.0/24', metered: MONTHLY } as const
const AGENT = { plan: 'agent', freeFrom: 'wallet:0x1', metered: { by: 'credits', wallet: '0x1' } } as const
const BASE = 'eip155:8453'
const TESTNET = 'eip155:84532'
const coin = 10n ** 18n

afterEach(resetNetworks)

/** A network of an operator, of a coin that is not known. */
function ofOperator(changes: object = {}) {
  const row = {
    chainId: 99_999,
    slug: 'foonet',
    title: 'Foonet',
    testnet: false,
    explorer: null,
    coin: { symbol: 'FOO', decimals: 18 },
    blockSeconds: 2,
    finalizedSeconds: 60,
    fees: 'eip1559',
    depth: 5,
    assets: [{ address: `0x${'1'.repeat(40)}`, symbol: 'USDC', decimals: 6, domain: { name: 'USDC', version: '2' } }],
    rpc: ['http://127.0.0.1:1'],
    ...changes,
  }
  const [listed] = networkList.parse(JSON.stringify([row]))
  if (!listed) throw new Error('the row was not read')
  return addNetwork(listed.row)
}

describe('the gas of one owner and plan a day', () => {
  test('is dollars of the plan at the price of the coin, far less for a free plan than for scale', () => {
    const on = (plan: 'free' | 'scale', network: 'eip155:8453' | 'eip155:31612') =>
      gasBudgetsOf({ config: UNSET }, ofPlan(plan), network).own
    for (const row of builtInNetworks) addNetwork(row)
    expect(on('scale', BASE) / (coin / 1_000n)).toBe(333n)
    expect(on('scale', BASE) / on('free', BASE)).toBeGreaterThanOrEqual(50n)
    // On Mezo the coin is bitcoin.
    expect(on('scale', 'eip155:31612')).toBeLessThan(coin / 100n)
  })

  test('is what the operator wrote in coins, for the network before all networks', () => {
    const config = { ...UNSET, gasBudgetDay: '2' }
    expect(gasBudgetsOf({ config }, ofPlan('free'), BASE).own).toBe(2n * coin)
    const network = ofOperator({ gasBudgetDay: '0.5' })
    expect(gasBudgetsOf({ config }, ofPlan('free'), network).own).toBe(coin / 2n)
  })

  test('is a coin on a testnet, and for a paid plan where the coin has no price', () => {
    expect(gasBudgetsOf({ config: UNSET }, ofPlan('growth'), TESTNET).own).toBe(coin)
    expect(gasBudgetsOf({ config: UNSET }, ofPlan('growth'), ofOperator()).own).toBe(coin)
  })

  test('is at most a fifth of the common budget for a key that cost nothing', () => {
    const { own, free } = gasBudgetsOf({ config: UNSET }, FREE, BASE)
    expect([free, own]).toEqual([(25n * coin) / 3_000n, (25n * coin) / 3_000n / 5n])
    expect(gasBudgetsOf({ config: UNSET }, ofPlan('growth'), BASE).free).toBeNull()
  })
})

describe('the budget of all free keys', () => {
  test('has nothing on a mainnet of an unknown coin, also if all networks have a budget; a price or a budget of the row fills it', () => {
    const freeOn = (changes: object, config = UNSET) => gasBudgetsOf({ config }, FREE, ofOperator(changes))
    expect(freeOn({})).toEqual({ own: 0n, free: 0n })
    expect(freeOn({}, { ...UNSET, gasBudgetDay: '1' })).toEqual({ own: 0n, free: 0n })
    expect(freeOn({ coinUsd: 5 }).free).toBe(5n * coin)
    expect(freeOn({ gasBudgetDay: '3' }).free).toBe(3n * coin)
    expect(freeOn({}, { ...UNSET, walletGasBudgetDay: '2' }).free).toBe(2n * coin)
  })

  test('holds no more than one owner has of the network in coins, and what the operator wrote for it everywhere', () => {
    expect(gasBudgetsOf({ config: { ...UNSET, gasBudgetDay: '0.001' } }, FREE, BASE).free).toBe(coin / 1_000n)
    expect(gasBudgetsOf({ config: { ...UNSET, gasBudgetDay: '1' } }, FREE, BASE).free).toBe((25n * coin) / 3_000n)
    expect(gasBudgetsOf({ config: { ...UNSET, walletGasBudgetDay: '1' } }, FREE, BASE).free).toBe(coin)
    expect(gasBudgetsOf({ config: { ...UNSET, freeGasUsdDay: 0 } }, FREE, BASE).free).toBe(0n)
  })

  test('is spent by agents only where a credit does not pay for a settlement', () => {
    for (const row of builtInNetworks) addNetwork(row)
    expect([freeFromOf(AGENT, BASE), freeFromOf(AGENT, 'eip155:1')]).toEqual([null, 'wallet:0x1'])
    // What the service does for an agent by itself takes no credit.
    expect(freeFromOf({ ...AGENT, metered: { by: 'nothing' } }, BASE)).toBe('wallet:0x1')
  })
})

describe('a row', () => {
  const rows = [...ALWAYS.map(([, row]) => row), ...builtInNetworks]
  test.each(rows.filter(({ testnet }) => !testnet))('$title has a price of its coin', (row) => {
    expect(coinUsdOf(row)).toBeGreaterThan(0)
  })

  test.each(rows.filter(({ testnet }) => testnet))('$title has test coins, which have none', (row) => {
    expect([coinUsdOf(row), minimumOf(row)]).toEqual([null, 0])
  })

  test('has a minimum payment where gas costs more than the usual one, in each of its tokens', () => {
    const config = { minPayment: 100n }
    for (const row of builtInNetworks) addNetwork(row)
    const six = { symbol: 'USDC', decimals: 6, address: '' }
    expect(minimumAmount(config, BASE, six)).toBe(100n)
    expect(minimumAmount(config, 'eip155:1', six)).toBe(1_000_000n)
    expect(minimumAmount({ minPayment: 2_000_000n }, 'eip155:1', six)).toBe(2_000_000n)
    expect(minimumAmount(config, 'eip155:31612', { ...six, decimals: 18 })).toBe(10n ** 16n)
  })

  test('bounds the gas of one settlement in dollars, more on Ethereum', () => {
    for (const row of builtInNetworks) addNetwork(row)
    expect(gasMaxOf(BASE)).toBe((10n * coin) / 3_000n)
    expect(gasMaxOf('eip155:1')).toBe((25n * coin) / 3_000n)
    expect([gasMaxOf(TESTNET), gasMaxOf(ofOperator())]).toEqual([null, null])
    expect(gasMaxOf(ofOperator({ coinUsd: 2, gasMaxUsd: 1 }))).toBe(coin / 2n)
    expect(networkRow('solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp').coin.decimals).toBe(9)
    expect(gasMaxOf('solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp')).toBe(40_000_000n)
  })
})
