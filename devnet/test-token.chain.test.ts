import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { expect, test } from 'vitest'
import { fixture } from '../test/support/fixture'
import { usdcAbi } from './abi'
import { startChain } from './chain'
import { addLocalNetwork, multicallAddress } from './networks'
import { deployTestToken } from './test-token'

const asset = { address: multicallAddress, domain: { name: 'None', version: '1' } } as const
const row = { chainId: 31_339, title: 'My Chain', coin: { symbol: 'MYC', decimals: 18 }, multicall: multicallAddress } as const
const world = fixture(async () => {
  const chain = await startChain({ chainId: addLocalNetwork({ ...row, assets: [asset] }) })
  return { chain, close: () => chain.stop() }
})

test('npm run test-token deploys a token whose entry is that of EVM_NETWORKS, and mints for its holder', async () => {
  const holder = privateKeyToAddress(generatePrivateKey())
  const { chainId, asset } = await deployTestToken(world.chain.url, holder)
  expect(chainId).toBe(31_339)
  expect(asset).toMatchObject({ symbol: 'TUSD', decimals: 6, domain: { name: 'Test Dollar', version: '1' } })
  const token = { address: asset.address, abi: usdcAbi } as const
  const read = { ...token, functionName: 'balanceOf', args: [holder] } as const
  expect(await world.chain.client.readContract(read)).toBe(1_000_000_000n)
})

test('npm run test-token says when no node answers', async () => {
  await expect(deployTestToken('http://127.0.0.1:9')).rejects.toThrow('No node answers at http://127.0.0.1:9.')
  await expect(deployTestToken(world.chain.url, '0x12')).rejects.toThrow('"0x12" is no address')
})
