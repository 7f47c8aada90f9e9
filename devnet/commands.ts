import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { isNetworkName, type NetworkName, networks as names } from '../examples/networks'
import { agentName, keepAgent } from './agents'
import { connect } from './client'
import { createDeployer } from './contracts'
import { fundAddress } from './fund'
import { signToken, userName } from './identity/identity-provider'
import { STREAM } from './merchant'
import { type ChainId, networks } from './networks'
import { createPayer, keyOn } from './payer'
import { paymentLine, paymentProblem } from './print'
import { connectSolana } from './solana/client'
import { addressOf, newSecretKey } from './solana/keys'
import { buyStream } from './stream'
import { deployTestToken } from './test-token'
import { demoFolder, findRunning, readWorld } from './world-folder'

const notRunning = 'The demo is not running. Start it with "npm run demo", then run this in another terminal.'

/** Pays the running demo's merchant once, as its payer, with the official client. */
export async function payOnce(path = '/weather'): Promise<void> {
  const running = await findRunning(demoFolder)
  const world = readWorld(demoFolder)
  if (!running || !world) return fail(notRunning)
  try {
    const solana = { secretKey: world.keys.solanaPayer, nodes: running.nodes ?? {} }
    const node = running.nodes?.[networks[84532].id]
    const wallet = node ? keyOn(connect(84532, node), world.keys.payer) : world.keys.payer
    const payer = createPayer(wallet, solana)
    const { href } = new URL(path, running.merchantUrl)
    if (path === STREAM) return await buyStream(payer, href, console.log)
    const answer = await payer.pay(href)
    const problem = paymentProblem(path, answer)
    if (problem) return fail(problem)
    console.log(paymentLine(path, answer))
  } catch (cause) {
    fail(`Paying ${running.merchantUrl}${path} failed: ${messageOf(cause)}`)
  }
}

/** Prints a JWT for the running demo's merchant API, in the name of `user`: alone on its line, for `curl`. */
export async function printToken(user = 'alice'): Promise<void> {
  const running = await findRunning(demoFolder)
  const world = readWorld(demoFolder)
  if (!running?.issuer || !world) return fail(notRunning)
  const name = userName.safeParse(user)
  if (!name.success) return fail('A user name has 1 to 200 printable characters.')
  const { issuer, baseUrl } = running
  console.log(await signToken({ issuer, baseUrl, key: world.secrets.identityKey, user: name.data }))
}

/** Gives a wallet test USDC and gas on the running demo's chains: `amount` in USDC, 10 if unset. */
export async function fundWallet(address = '', amount?: string): Promise<void> {
  const running = await findRunning(demoFolder)
  if (!running?.nodes) return fail(notRunning)
  if (address === '') return fail('Name a wallet: npm run fund -- <address> [amount in USDC]')
  try {
    for (const line of await fundAddress(running.nodes, address, amount)) console.log(line)
  } catch (cause) {
    fail(messageOf(cause))
  }
}

/** Deploys a test token on a local chain of any id, and prints its entry for `assets` of `EVM_NETWORKS`. */
export async function printTestToken(url = '', holder?: string): Promise<void> {
  if (url === '') return fail('Name the node of a local chain: npm run test-token -- <node URL> [holder]')
  try {
    const { chainId, asset } = await deployTestToken(url, holder)
    console.log(JSON.stringify(asset))
    console.log(`Deployed on chain ${chainId}${holder === undefined ? '' : `, with 1000 ${asset.symbol} for ${holder}`}.`)
    console.log(`A price in it: ${JSON.stringify({ amount: '1000', asset: asset.address, extra: asset.domain })}`)
  } catch (cause) {
    fail(messageOf(cause))
  }
}

const ONE_USDC = 1_000_000n

// Makes a new wallet and funds it on the local chain of its network.
const fund: Record<NetworkName, (nodeUrl: string) => Promise<string>> = {
  'base-sepolia': (nodeUrl) => fundEvm(84532, nodeUrl),
  base: (nodeUrl) => fundEvm(8453, nodeUrl),
  solana: async (nodeUrl) => {
    const key = newSecretKey()
    await connectSolana('mainnet', nodeUrl).mintTo(addressOf(key), ONE_USDC)
    return key
  },
}

/** Runs the example agent in the running demo, with one USDC in a new wallet, and a new customer with as much. */
export async function sendAgent(network = 'base-sepolia'): Promise<void> {
  const running = await findRunning(demoFolder)
  if (!running?.nodes) return fail(notRunning)
  if (!isNetworkName(network)) return fail(`npm run agent knows ${Object.keys(names).join(', ')}, not ${network}.`)
  // Loaded here: the other commands do not need the example.
  const { runAgent } = await import('../examples/agent')
  try {
    const node = running.nodes[names[network].id] ?? ''
    const [key, customer] = [await fund[network](node), await fund[network](node)]
    await runAgent({ service: running.baseUrl, network, node, key, customer, credits: 100, port: 0 })
    keepAgent(demoFolder, network, key)
    console.log(`Dashboard  ${running.baseUrl}/sign-in?to=/agent (choose "${agentName(network)}")`)
  } catch (cause) {
    fail(`The agent failed on ${network}: ${messageOf(cause)}`)
  }
}

async function fundEvm(chainId: ChainId, nodeUrl: string): Promise<string> {
  const key = generatePrivateKey()
  const client = connect(chainId, nodeUrl)
  const deployer = createDeployer(client, chainId, () => client.mine({ blocks: 1 }))
  await deployer.mint(networks[chainId].usdc, privateKeyToAddress(key), ONE_USDC)
  return key
}

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

function fail(message: string): void {
  console.error(message)
  process.exitCode = 1
}
