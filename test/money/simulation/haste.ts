import { validUntil } from '../../../server/x402/networks/expiry-margin'
import type { Chain } from './chain'
import { NETWORK } from './instance'
import { HASTELESS_SEEDS } from './kept'
import type { Purchase } from './purchase'
import type { Random } from './random'
import type { Schedule } from './schedule'
import { spentBy } from './token'

/** How many payers sign a short time, and how many payments a stranger submits before us. Its draws come from a stream of their own. */
export type Haste = { short: number; overtaken: number; random: Random }

/** Draws how much haste a seed has. */
export function drawHaste(seed: number, random: Random): Haste | null {
  if (seed <= HASTELESS_SEEDS) return null
  return { short: random.pick([0, 0.2, 0.8]), overtaken: random.pick([0, 0.1, 0.4]), random }
}

/** The end that a payer in a hurry signs in this second: the margin of the service and a few seconds. Null for other payers. */
export function shortEnd({ short, random }: Haste, second: bigint): bigint | null {
  return random.chance(short) ? validUntil(NETWORK, second) + BigInt(random.whole(1, 4)) : null
}

/** Some payments are seen in our transaction, and a stranger's transaction with the same authorization comes before it. */
export function planOvertaking(
  { overtaken, random }: Haste,
  chain: Chain,
  schedule: Schedule,
  { authorization }: Purchase,
): void {
  if (!random.chance(overtaken)) return
  const hash = random.hex(32)
  let isSeen = false
  chain.onTaken(({ call }) => {
    const isOurs = call.transfers.some((one) => spentBy(one) === spentBy(authorization))
    if (isSeen || !isOurs || !chain.isSigned(authorization)) return
    isSeen = true
    schedule.note(`a stranger overtakes ${authorization.nonce.slice(0, 10)}`)
    chain.deed({ kind: 'use', authorization, hash, isFirst: true })
  })
}
