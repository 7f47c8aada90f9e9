import { getAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import {
  isEvmNetwork,
  isNetworkId,
  mainAsset,
  networkIds,
  networkRow,
  networkTitle,
  pastEnvironmentOf,
  readNetwork,
} from './networks'

describe('the networks', () => {
  test('are four, in the order in which they are shown, with their v1 names', () => {
    expect(networkIds.map((id) => [id, networkRow(id).name, networkRow(id).testnet])).toEqual([
      ['eip155:8453', 'base', false],
      ['eip155:84532', 'base-sepolia', true],
      ['solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', 'solana', false],
      ['solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1', 'solana-devnet', true],
    ])
  })

  test("settle Circle's own USDC", () => {
    expect(networkRow('eip155:8453')).toMatchObject({ chainId: 8453 })
    expect(mainAsset('eip155:8453')).toMatchObject({
      address: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'.toLowerCase(),
      domain: { name: 'USD Coin', version: '2' },
    })
    expect(networkRow('eip155:84532')).toMatchObject({ chainId: 84532 })
    expect(mainAsset('eip155:84532')).toMatchObject({
      address: '0x036CbD53842c5426634e7929541eC2318f3dCF7e'.toLowerCase(),
      domain: { name: 'USDC', version: '2' },
    })
    expect(mainAsset('solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp').address).toBe('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v')
    expect(mainAsset('solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1').address).toBe('4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU')
  })

  test.each(networkIds)('%s keeps the facts of its family straight', (id) => {
    const row = networkRow(id)
    expect(isEvmNetwork(id)).toBe(id.startsWith('eip155:'))
    if (row.family !== 'evm') return
    expect(id).toBe(`eip155:${row.chainId}`)
    for (const { address } of row.assets) expect(getAddress(address).toLowerCase()).toBe(address)
  })
})

test('a network has its title while it is on, a built-in one also while it is off', () => {
  const ids = [
    'eip155:8453',
    'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1',
    'eip155:137',
    'eip155:80002',
    'eip155:7777',
    'solana:137',
  ]
  expect(ids.map(networkTitle)).toEqual(['Base', 'Solana devnet', 'Polygon', 'Polygon Amoy', 'eip155:7777', 'solana:137'])
})

describe('a network as it is written', () => {
  test.each(networkIds)('%s is known by its id and by its v1 name', (id) => {
    expect(readNetwork(id)).toEqual({ known: id })
    expect(readNetwork(networkRow(id).name)).toEqual({ known: id })
    expect(isNetworkId(id)).toBe(true)
    expect(isNetworkId(networkRow(id).name)).toBe(false)
  })

  test.each(['eip155:1', 'eip155:845', 'solana:4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z', 'cosmos:hub-4', 'polygon', 'solana-testnet'])(
    '%s is well-formed and not ours',
    (text) => {
      expect(readNetwork(text)).toEqual({ foreign: text })
    },
  )

  test.each([
    '',
    'Base',
    'BASE-SEPOLIA',
    'eip155:',
    ':8453',
    'eip155:84532 ',
    'EIP155:84532',
    'eip155:8453:2',
    'toString',
    '84532',
  ])('%j cannot be read', (text) => {
    expect(readNetwork(text)).toBeNull()
  })
})

test('a built-in testnet that left the configuration stays test money, and an unknown id is real money', () => {
  expect(isNetworkId('eip155:43113')).toBe(false)
  expect(['eip155:84532', 'eip155:43113', 'eip155:43114', 'eip155:99999'].map(pastEnvironmentOf)).toEqual([
    'testnet',
    'testnet',
    'mainnet',
    'mainnet',
  ])
})
