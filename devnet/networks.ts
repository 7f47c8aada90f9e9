import { type Address, type Chain, defineChain } from 'viem'
import type { EvmRow } from '../server/x402/networks/networks'

export type ChainId = 84532 | 8453

export const multicallAddress: Address = '0xcA11bde05977b3631167028862bE2a173976CA11'
/** Uniswap's Permit2, the same on every chain. */
export const permit2Address: Address = '0x000000000022D473030F116dDEE9F6B43aC78BA3'
/** x402's proxy for `exact` payments by Permit2, the same on every chain. */
export const exactProxyAddress: Address = '0x402085c248EeA27D92E8b30b2C58ed07f9E20001'

/** x402's proxy for `upto` payments by Permit2, the same on every chain. */
export const uptoProxyAddress: Address = '0x4020A4f3b7b90ccA423B9fabCc0CE57C6C240002'

/** x402's contract of payment channels, and what collects their deposits; the same on every chain. */
export const batchSettlementAddress: Address = '0x4020074e9dF2ce1deE5A9C1b5c3f541D02a10003'
export const erc3009CollectorAddress: Address = '0x4020806089470a89826cB9fB1f4059150b550004'
export const permit2CollectorAddress: Address = '0x4020425FAf3B746C082C2f942b4E5159887B0005'

const ether = { name: 'Ether', symbol: 'ETH', decimals: 18 }
// A chain definition needs a URL; every client here gets the local one instead.
const rpcUrls = { default: { http: [] } }
const contracts = { multicall3: { address: multicallAddress } }

/** A network that runs locally: where its token is, and the domain that payers sign. */
type LocalNetwork = { id: string; usdc: Address; tokenName: string; tokenVersion: string; chain: Chain }

/** The networks of a local world, with USDC at its real address. */
export const networks = {
  84532: {
    id: 'eip155:84532',
    usdc: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
    tokenName: 'USDC',
    tokenVersion: '2',
    chain: defineChain({ id: 84532, name: 'Base Sepolia', nativeCurrency: ether, rpcUrls, contracts, testnet: true }),
  },
  8453: {
    id: 'eip155:8453',
    usdc: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    tokenName: 'USD Coin',
    tokenVersion: '2',
    chain: defineChain({ id: 8453, name: 'Base', nativeCurrency: ether, rpcUrls, contracts }),
  },
} as const satisfies Record<ChainId, LocalNetwork>

/** Where a chain has Multicall3. */
export function multicallAt({ contracts }: Chain): Address {
  const at = contracts?.multicall3
  return at && 'address' in at && typeof at.address === 'string' ? at.address : multicallAddress
}

const added = new Map<number, LocalNetwork>()

/** What a local chain needs of a row of networks. */
type LocalRow = Pick<EvmRow, 'chainId' | 'title' | 'coin' | 'multicall'> & {
  assets: readonly [Pick<EvmRow['assets'][0], 'address' | 'domain'>, ...unknown[]]
}

/** Makes the network of a row one that can run locally, with its first token. Returns its chain id. */
export function addLocalNetwork({ chainId, title, coin, assets: [token], multicall }: LocalRow): number {
  const { symbol, decimals } = coin
  const chain = defineChain({
    id: chainId,
    name: title,
    nativeCurrency: { name: symbol, symbol, decimals },
    rpcUrls,
    contracts: { multicall3: { address: multicall } },
  })
  const { name: tokenName, version: tokenVersion } = token.domain
  added.set(chainId, { id: `eip155:${chainId}`, usdc: token.address, tokenName, tokenVersion, chain })
  return chainId
}

/** The local network of a chain id. Throws on one that was not added. */
export function localNetwork(chainId: number): LocalNetwork {
  const network = added.get(chainId) ?? Object.entries(networks).find(([id]) => id === String(chainId))?.[1]
  if (!network) throw new Error(`chain ${chainId} cannot run locally: add its row first`)
  return network
}
