import { formatUnits } from 'viem'
import { networks } from './networks'
import type { PaidAnswer } from './payer'
import { clusters } from './solana/clusters'

/** One payment on one line, in columns that stay put. */
export function paymentLine(path: string, answer: PaidAnswer): string {
  const { amount, payTo, receipt, milliseconds } = answer
  const cells = [
    `${formatUnits(amount ?? 0n, 6)} USDC`.padStart(12),
    `${short(receipt?.payer)} -> ${short(payTo)}`,
    `GET ${path}`.padEnd(12),
    titleOf(receipt?.network).padEnd(12),
    `${milliseconds} ms`.padStart(9),
    // The last, because chains write it at different lengths.
    receipt?.transaction ?? '',
  ]
  return cells.join('  ')
}

/** Why an answer is not a payment that landed; undefined when it is one. */
export function paymentProblem(path: string, answer: PaidAnswer): string | undefined {
  if (answer.status === 200 && answer.receipt?.success) return undefined
  const reason = answer.receipt?.errorReason ?? answer.problem ?? JSON.stringify(answer.body).slice(0, 200)
  return `Paying for ${path} failed with status ${answer.status}: ${reason}`
}

/** Names on the left, what they stand for on the right. */
export function table(rows: [name: string, value: string][]): string {
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
