import { parseArgs } from 'node:util'
import { isNetworkName, type NetworkName, networks } from './networks'

export type AgentOptions = {
  /** The service's base URL. */
  service: string
  network: NetworkName
  /** The agent's private key; its address holds USDC. */
  key: string
  /** The key of a customer wallet. If unset, the agent waits for a customer. */
  customer?: string | undefined
  /** The URL of a Solana node. If unset, a public one. */
  node?: string | undefined
  /** How many credits to buy. */
  credits: number
  /** The agent's port; 0 is any free port. */
  port: number
}

const USAGE = `An agent with a funded wallet buys credits, serves a paid endpoint with them, and reads its balance and history.

  node --import tsx examples/agent.ts --key <private key> [options]

  --key       private key of the agent's wallet, which holds USDC
  --customer  private key of a wallet that buys once from the agent; if unset, the agent waits for a customer
  --service   base URL of the service (http://localhost:3000)
  --network   ${Object.keys(networks).join(', ')} (base-sepolia)
  --node      URL of a Solana node (a public one); not needed on Base
  --credits   how many to buy (100; the official client pays at most 1 USDC, which is 1000)
  --port      the agent's port (any free one)

Each option is also a variable: AGENT_KEY, AGENT_CUSTOMER and so on. Use variables for keys: a list of processes shows options.`

const word = { type: 'string' } as const
const words = { key: word, customer: word, service: word, network: word, node: word, credits: word, port: word }

/** The options of the command line, then of the environment. Throws the usage without a key, and an error for an invalid option. */
export function readOptions(args: string[], env: Record<string, string | undefined>): AgentOptions {
  const { values } = parseArgs({ args, options: words })
  const option = (name: keyof typeof words): string | undefined => values[name] || env[`AGENT_${name.toUpperCase()}`] || undefined
  const [key, network = 'base-sepolia'] = [option('key'), option('network')]
  if (key === undefined) throw new Error(USAGE)
  if (!isNetworkName(network)) throw new Error(`--network is one of ${Object.keys(networks).join(', ')}, not ${network}.`)
  return {
    key,
    network,
    customer: option('customer'),
    service: (option('service') ?? 'http://localhost:3000').replace(/\/+$/, ''),
    node: option('node'),
    credits: wholeNumber('--credits', option('credits') ?? '100'),
    port: wholeNumber('--port', option('port') ?? '0'),
  }
}

function wholeNumber(name: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new Error(`${name} is a whole number, not ${text}.`)
}
