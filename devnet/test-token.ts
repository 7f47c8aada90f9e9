import { type Address, isAddress } from 'viem'
import { z } from 'zod'
import { connect } from './client'
import { createDeployer, place } from './contracts'
import { addLocalNetwork, multicallAddress } from './networks'

/** What `EVM_NETWORKS` says of a token (docs/networks.md). */
type TestToken = {
  chainId: number
  asset: { address: Address; symbol: string; decimals: number; domain: { name: string; version: string } }
}

const DOMAIN = { name: 'Test Dollar', version: '1' }
const [SYMBOL, DECIMALS] = ['TUSD', 6]
const HOLDING = 1_000_000_000n
const answer = z.object({ result: z.string().regex(/^0x[0-9a-f]+$/) })

/**
 * Deploys a test token with EIP-3009 on a local chain of any id (anvil), and Multicall3 where it is missing. Mints 1,000 of it for `holder`
 * if one is named. Anyone can mint more. Throws if the node is no local chain.
 */
export async function deployTestToken(url: string, holder?: string): Promise<TestToken> {
  if (holder !== undefined && !isAddress(holder, { strict: false }))
    throw new Error(`"${holder}" is no address: it has 0x and 40 hex digits.`)
  const chainId = await chainIdAt(url)
  const asset = { address: multicallAddress, symbol: SYMBOL, decimals: DECIMALS, domain: DOMAIN }
  addLocalNetwork({
    chainId,
    title: `Chain ${chainId}`,
    coin: { symbol: 'ETH', decimals: 18 },
    assets: [asset],
    multicall: multicallAddress,
  })
  const client = connect(chainId, url)
  await place(client, multicallAddress, 'Multicall3', [])
  const deployer = createDeployer(client, chainId, () => client.mine({ blocks: 1 }))
  const address = await deployer.deploy('TestUsdc', [DOMAIN.name, DOMAIN.version])
  if (holder !== undefined) await deployer.mint(address, holder, HOLDING)
  return { chainId, asset: { ...asset, address } }
}

async function chainIdAt(url: string): Promise<number> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] })
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body }).catch(() => null)
  if (!response) throw new Error(`No node answers at ${url}.`)
  return Number(answer.parse(await response.json()).result)
}
