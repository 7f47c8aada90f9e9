import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { expect, test } from 'vitest'
import { fixture } from '../test/support/fixture'
import { startChain } from './chain'
import { fundAddress } from './fund'
import { addressOf, newSecretKey } from './solana/keys'
import { startSolana } from './solana/solana'

const world = fixture(async () => {
  const [sepolia, base, devnet, mainnet] = await Promise.all([
    startChain({ chainId: 84532 }),
    startChain({ chainId: 8453 }),
    startSolana({ cluster: 'devnet' }),
    startSolana({ cluster: 'mainnet' }),
  ])
  const nodes = {
    'eip155:84532': sepolia.url,
    'eip155:8453': base.url,
    [devnet.network]: devnet.url,
    [mainnet.network]: mainnet.url,
  }
  return {
    chains: [sepolia, base],
    clusters: [devnet, mainnet],
    nodes,
    close: () => Promise.all([sepolia, base, devnet, mainnet].map((one) => one.stop())),
  }
})

test('npm run fund gives an EVM address USDC and ether on both chains', async () => {
  const address = privateKeyToAddress(generatePrivateKey())
  expect(await fundAddress(world.nodes, address.toLowerCase(), '2.5')).toEqual([
    'Base Sepolia: 2.5 USDC and ether for gas',
    'Base: 2.5 USDC and ether for gas',
  ])
  for (const chain of world.chains) {
    expect(await chain.tokens(address)).toBe(2_500_000n)
    expect(await chain.client.getBalance({ address })).toBe(10n ** 18n)
  }
})

test('npm run fund gives a Solana address USDC and SOL on both clusters', async () => {
  const owner = addressOf(newSecretKey())
  expect(await fundAddress(world.nodes, owner)).toHaveLength(2)
  for (const cluster of world.clusters) {
    expect(await cluster.tokens(owner)).toBe(10_000_000n)
    expect(await cluster.balance(owner)).toBeGreaterThanOrEqual(1_000_000_000n)
  }
})

test.each([
  ['0x12', '10', '"0x12" is no address'],
  [`0x${'ab'.repeat(20)}`, 'ten', '"ten" is no amount of USDC'],
  [`0x${'ab'.repeat(20)}`, '0.0000001', '"0.0000001" is no amount of USDC'],
])('npm run fund -- %s %s says what is wrong', async (address, amount, message) => {
  await expect(fundAddress(world.nodes, address, amount)).rejects.toThrow(message)
})
