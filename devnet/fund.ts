import { type Address, formatUnits, getAddress, isAddress, parseEther, parseUnits } from 'viem'
import { connect } from './client'
import { createDeployer } from './contracts'
import { type ChainId, networks } from './networks'
import { connectSolana } from './solana/client'
import { type ClusterName, clusters } from './solana/clusters'

const DECIMALS = 6
/** A wallet that pays no gas needs none; others send transactions with it. */
const COINS = { ether: parseEther('1'), lamports: 1_000_000_000n }

/**
 * Gives an address test USDC on each local network of its family, and a coin for gas where it has less. `nodes` are the URLs by network.
 * Returns a line for each network. Throws for a text that is no address, or an amount that is none.
 */
export async function fundAddress(nodes: Record<string, string>, written: string, amount = '10'): Promise<string[]> {
  if (!/^\d{1,9}(\.\d{1,6})?$/.test(amount)) throw new Error(`"${amount}" is no amount of USDC, such as 10 or 0.5.`)
  const units = parseUnits(amount, DECIMALS)
  if (isAddress(written, { strict: false })) {
    const address = getAddress(written)
    return Promise.all(([84532, 8453] as const).map((chainId) => onEvm(chainId, nodes, address, units)))
  }
  if (!/^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(written)) {
    throw new Error(`"${written}" is no address: on Base it has 0x and 40 hex digits, on Solana 32 to 44 letters and digits.`)
  }
  return Promise.all((['devnet', 'mainnet'] as const).map((cluster) => onSolana(cluster, nodes, written, units)))
}

async function onEvm(chainId: ChainId, nodes: Record<string, string>, address: Address, units: bigint): Promise<string> {
  const { id, usdc, chain } = networks[chainId]
  const client = connect(chainId, nodes[id] ?? '')
  await createDeployer(client, chainId, () => client.mine({ blocks: 1 })).mint(usdc, address, units)
  if ((await client.getBalance({ address })) < COINS.ether) await client.setBalance({ address, value: COINS.ether })
  return `${chain.name}: ${formatUnits(units, DECIMALS)} USDC and ether for gas`
}

async function onSolana(cluster: ClusterName, nodes: Record<string, string>, owner: string, units: bigint): Promise<string> {
  const { network, title } = clusters[cluster]
  const client = connectSolana(cluster, nodes[network] ?? '')
  await client.mintTo(owner, units)
  if ((await client.balance(owner)) < COINS.lamports) await client.airdrop(owner, COINS.lamports)
  return `${title}: ${formatUnits(units, DECIMALS)} USDC in its token account, and SOL for gas`
}
