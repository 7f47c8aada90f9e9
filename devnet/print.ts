import { formatUnits } from 'viem'
import { networks } from './networks'
import type { PaidAnswer } from './payer'
import { clusters } from './solana/clusters'
import type { World } from './world'
import { demoFolder } from './world-folder'

/** One payment on one line, in fixed columns. */
export function paymentLine(path: string, answer: PaidAnswer): string {
  const { amount: signed = 0n, payTo, receipt, milliseconds } = answer
  const moved = receipt?.amount === undefined ? signed : BigInt(receipt.amount)
  const cells = [
    `${formatUnits(moved, 6)} USDC`.padStart(12),
    `${short(receipt?.payer)} -> ${short(payTo)}`,
    `GET ${path}`.padEnd(12),
    titleOf(receipt?.network).padEnd(12),
    `${milliseconds} ms`.padStart(9),
    // Last, because its length differs by chain.
    `${receipt?.transaction ?? ''}${moved < signed ? ` of at most ${formatUnits(signed, 6)} USDC` : ''}`,
  ]
  return cells.join('  ')
}

/** Why an answer is not a settled payment; undefined when it is one. */
export function paymentProblem(path: string, answer: PaidAnswer): string | undefined {
  if (answer.status === 200 && answer.receipt?.success) return undefined
  const reason = failureOf(answer) ?? JSON.stringify(answer.body).slice(0, 200)
  return `Paying for ${path} failed with status ${answer.status}: ${reason}`
}

/** True when a payment failed because a chain or its signer did not answer: nothing was sent, so it is safe to pay again. */
export function isUnsent(answer: PaidAnswer): boolean {
  return answer.status !== 200 && /^(upstream_unreachable|facilitator_unavailable)\b/.test(failureOf(answer) ?? '')
}

/** True when a payment was sent and its block has not come yet. */
export function isPending({ receipt }: PaidAnswer): boolean {
  return receipt?.errorReason === 'settlement_pending' && receipt.transaction !== ''
}

const failureOf = ({ receipt, problem }: PaidAnswer): string | undefined => receipt?.errorReason ?? problem

/**
 * A `console.log` without the line that the official facilitator client prints after each settle. The client has no option to hide it:
 * in the demo it stands between the payment lines, in the journeys between their names.
 */
export function withoutExtensionResponses(log: typeof console.log): typeof console.log {
  return (...parts) => {
    if (!String(parts[0]).startsWith('[x402] extension responses:')) log(...parts)
  }
}

type At = { url: string }
type Shown = Pick<World, 'baseUrl' | 'merchantUrl' | 'issuer' | 'facilitatorUrl' | 'databaseFolder' | 'logFile'> & {
  chains: [sepolia: At, base: At]
  solana: [mainnet: At, devnet: At]
}

/** Every address that a person may open or call in the running demo, and the commands beside it. */
export function addresses(world: Shown): string {
  const [sepolia, base] = world.chains
  const [solana, solanaDevnet] = world.solana
  return table([
    ['Home page', `${world.baseUrl}/home`],
    ['Dashboard', `${world.baseUrl}/dashboard  (sign in as sample-merchant; as demo-seed after --seed)`],
    ['Console', `${world.baseUrl}/console  (for the operator: sign in with the admin key)`],
    ['Admin key', `secrets.admin in ${demoFolder}/world.json  (opens the console and the admin API: see docs/api.md)`],
    ['Facilitator URL', `${world.facilitatorUrl}  (the sample merchant's, with its API key)`],
    ['Sandbox URL', `${world.baseUrl}/sandbox  (no key, test networks only)`],
    ['Sample merchant', world.merchantUrl],
    ['Identity provider', `${world.issuer}  (any user name, no password; npm run -s token -- alice prints a JWT for /api/me/…)`],
    ['Chains', `${sepolia.url} (Base Sepolia), ${base.url} (Base); JSON-RPC`],
    ['', `${solana.url} (Solana), ${solanaDevnet.url} (Solana devnet); JSON-RPC without notifications`],
    ['Database', world.databaseFolder],
    ['Service log', world.logFile ?? 'here'],
    [
      'Pay once more',
      'npm run pay         (or: npm run pay -- /report, on Base, /almanac, on Solana, /tokens, by upto, or /stream, a channel)',
    ],
    ['Agents', 'npm run agent       (buys credits and sells with them on Base Sepolia; npm run agent -- solana on Solana)'],
    ['Stop', 'Ctrl-C'],
  ])
}

/** The rows as text: names on the left, values on the right. */
function table(rows: [name: string, value: string][]): string {
  const width = Math.max(...rows.map(([name]) => name.length))
  return rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`).join('\n')
}

function titleOf(network = ''): string {
  const evm = Object.values(networks).find(({ id }) => id === network)?.chain.name
  return evm ?? Object.values(clusters).find((cluster) => cluster.network === network)?.title ?? network
}

function short(address = 'unknown'): string {
  return address.length > 12 ? `${address.slice(0, 6)}…${address.slice(-4)}` : address
}
