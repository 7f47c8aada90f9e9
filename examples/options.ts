import { parseArgs } from 'node:util'
import { isNetworkName, type NetworkName, networks } from './networks'

export type AgentOptions = {
  /** The service's base URL. */
  service: string
  network: NetworkName
  /** The agent's private key; its address holds USDC. */
  key: string
  /** Another key that plays the customer; absent: somebody else has to come. */
  customer?: string | undefined
  /** A node of Solana; a public one unless told. */
  node?: string | undefined
  /** How many credits to buy. */
  credits: number
  /** Where the agent serves; 0 is any free port. */
  port: number
}

const USAGE = `An agent with a funded wallet buys credits, serves a paid endpoint with them, and reads its balance and history.

  node --import tsx examples/agent.ts --key <private key> [options]

  --key       private key of the agent's wallet, which holds USDC
  --customer  private key of a wallet that buys once from the agent; without it the agent waits for somebody
  --service   base URL of the service (http://localhost:3000)
  --network   ${Object.keys(networks).join(', ')} (base-sepolia)
  --node      URL of a node of Solana (a public one); not needed on Base
  --credits   how many to buy (100; the official client pays 1 dollar at most, which is 1000)
  --port      where the agent serves (any free one)

Each may be set in the environment instead, as AGENT_KEY, AGENT_CUSTOMER and so on: no list of processes shows it there.`

const word = { type: 'string' } as const
const words = { key: word, customer: word, service: word, network: word, node: word, credits: word, port: word }

/** What the command line asks for, and the environment where that is silent. Throws with the usage for what cannot be meant. */
export function readOptions(args: string[], env: Record<string, string | undefined>): AgentOptions {
  const { values } = parseArgs({ args, options: words })
  const said = (name: keyof typeof words): string | undefined => values[name] || env[`AGENT_${name.toUpperCase()}`] || undefined
  const [key, network = 'base-sepolia'] = [said('key'), said('network')]
  if (key === undefined) throw new Error(USAGE)
  if (!isNetworkName(network)) throw new Error(`--network is one of ${Object.keys(networks).join(', ')}, not ${network}.`)
  return {
    key,
    network,
    customer: said('customer'),
    service: (said('service') ?? 'http://localhost:3000').replace(/\/+$/, ''),
    node: said('node'),
    credits: wholeNumber('--credits', said('credits') ?? '100'),
    port: wholeNumber('--port', said('port') ?? '0'),
  }
}

function wholeNumber(name: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new Error(`${name} is a whole number, not ${text}.`)
}
