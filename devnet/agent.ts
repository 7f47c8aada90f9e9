import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { runAgent } from '../examples/agent'
import { isNetworkName, type NetworkName, networks as names } from '../examples/networks'
import { connect } from './client'
import { createHouse } from './furnish'
import { type ChainId, networks } from './networks'
import { connectSolana } from './solana/client'
import { addressOf, newSecretKey } from './solana/keys'
import { demoFolder, findRunning, type Running } from './world-folder'

const ONE_USDC = 1_000_000n

// Makes a wallet that never was and gives it money, at the local node of its network.
const fund: Record<NetworkName, (nodeUrl: string) => Promise<string>> = {
  'base-sepolia': (nodeUrl) => fundEvm(84532, nodeUrl),
  base: (nodeUrl) => fundEvm(8453, nodeUrl),
  solana: async (nodeUrl) => {
    const key = newSecretKey()
    await connectSolana('mainnet', nodeUrl).mintTo(addressOf(key), ONE_USDC)
    return key
  },
}

/** Sends the example agent to the running demo, with one USDC in a new wallet and a customer who has as much. */
export async function sendAgent(network = 'base-sepolia'): Promise<void> {
  const running = await findRunning(demoFolder)
  if (!running?.nodes)
    return fail('The demo is not running. Start it with "npm run demo", then send the agent from another terminal.')
  if (!isNetworkName(network)) return fail(`npm run agent knows ${Object.keys(names).join(', ')}, not ${network}.`)
  try {
    await visit(running, network, running.nodes[names[network].id] ?? '')
  } catch (cause) {
    fail(`The agent failed on ${network}: ${cause instanceof Error ? cause.message : cause}`)
  }
}

async function visit({ baseUrl }: Running, network: NetworkName, node: string): Promise<void> {
  const key = await fund[network](node)
  const customer = await fund[network](node)
  await runAgent({ service: baseUrl, network, node, key, customer, credits: 100, port: 0 })
}

async function fundEvm(chainId: ChainId, nodeUrl: string): Promise<string> {
  const key = generatePrivateKey()
  const client = connect(chainId, nodeUrl)
  const house = createHouse(client, chainId, () => client.mine({ blocks: 1 }))
  await house.mint(networks[chainId].usdc, privateKeyToAddress(key), ONE_USDC)
  return key
}

function fail(message: string): void {
  console.error(message)
  process.exitCode = 1
}
