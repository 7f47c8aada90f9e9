import { describe, expect, onTestFinished, test } from 'vitest'
import { EURC, MUSD, settleTooInTest } from '../../../test/support/payloads/tokens'
import { addressNamed, assetAt, assetIn, dollarOn, symbolOf, symbolsOn, tokenNamed } from './assets'
import { builtInNetworks } from './built-in-networks'
import { addNetwork, type EvmAsset, networkIds, networkRow, resetNetworks } from './networks'

const network = 'eip155:84532'

describe('a token that a row names', () => {
  test('is found by its address, in any case, and by its symbol', () => {
    settleTooInTest([EURC, MUSD])
    expect(assetAt(network, '0x808456652FDB597867f38412077a9182bf77359F')).toEqual(EURC)
    expect(assetIn({ network, asset: MUSD.address })).toEqual(MUSD)
    expect([symbolOf(network, EURC.address), tokenNamed('mUSD')]).toEqual(['EURC', { symbol: 'mUSD', decimals: 18 }])
    expect([addressNamed(network, 'EURC'), addressNamed('eip155:8453', 'EURC')]).toEqual([EURC.address, null])
    expect([symbolsOn([network]), symbolsOn(['eip155:8453', network])]).toEqual(Array(2).fill(['USDC', 'EURC', 'mUSD']))
  })

  test('is not settled where its row does not have it, and is then no dollar', () => {
    expect([assetAt(network, EURC.address), assetAt('eip155:1', EURC.address)]).toEqual([null, null])
    expect([symbolOf(network, EURC.address), symbolOf('a chain', '0x1')]).toEqual([EURC.address, '0x1'])
    expect([tokenNamed('EURC'), addressNamed('a chain', 'USDC')]).toEqual([{ symbol: 'EURC', decimals: 6 }, null])
  })
})

describe('credits are sold', () => {
  const networks = [...networkIds]
  const symbolsSold = () => networks.map((id) => dollarOn(id)?.symbol)

  test('for USDC on Base and Solana', () => {
    expect(symbolsSold()).toEqual(networks.map(() => 'USDC'))
  })

  test.each<[string, EvmAsset[], string | null]>([
    ['not for euros', [EURC], null],
    ['for the dollar behind a euro', [EURC, { ...EURC, symbol: 'USDT0' }], 'USDT0'],
    ['not for a dollar of 18 decimals', [MUSD], null],
    ['not for a dollar of 8 decimals', [{ ...EURC, symbol: 'USDC', decimals: 8 }], null],
    ['not for a symbol that is only like one', [{ ...EURC, symbol: 'usdc' }], null],
  ])('%s', (_what, [first = EURC, ...others], symbol) => {
    const row = networkRow(network)
    onTestFinished(() => void addNetwork(row))
    addNetwork({ ...row, assets: [first, ...others] })
    expect(dollarOn(network)?.symbol ?? null).toBe(symbol)
  })

  test('for the tokens of the built-in networks that are dollars of six decimals', () => {
    onTestFinished(resetNetworks)
    const without = builtInNetworks.filter((row) => dollarOn(addNetwork(row)) === null)
    expect(without.map(({ name }) => name)).toEqual(['megaeth', 'mezo', 'mezo-testnet'])
  })
})

test('the mint of a Solana token is found as it is written', () => {
  const mint = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
  expect(assetAt('solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', mint)).toMatchObject({ symbol: 'USDC', decimals: 6 })
  expect(assetAt('solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', mint.toLowerCase())).toBeNull()
})
