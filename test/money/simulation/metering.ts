import { sendersOf } from './instance'
import { UNMETERED_SEEDS } from './kept'
import { PAYERS, walletAt } from './payers'
import { type Purchase, permit2Nonce, sign } from './purchase'
import type { Random } from './random'

/** How many payments sign a maximum, of which their merchant charges a part. Its draws come from a stream of their own. */
export type Metering = { share: number; random: Random }

/** Draws how many payments of a seed are by `upto`. */
export function drawMetering(seed: number, random: Random): Metering | null {
  return seed <= UNMETERED_SEEDS ? null : { share: random.pick([0.3, 0.8]), random }
}

/** The purchase by `upto`, or as it is. Its merchant charges the maximum, a part of it or nothing, and with a flaw more than it. */
export function metered(drawn: Purchase, before: readonly Purchase[], { share, random }: Metering): Purchase {
  if (drawn.approval || !random.chance(share)) return drawn
  const { merchant, flaw } = drawn
  const { from, to, value: maximum, validAfter, validBefore } = drawn.authorization
  // An amount that no payer has is charged whole: a part of it is missing, too.
  const charges = flaw === 'poor' ? [maximum] : [maximum, maximum - 1n, maximum / 2n, 1n, 0n]
  const value = random.pick(charges)
  const authorization = {
    method: 'upto',
    from,
    to,
    value,
    validAfter,
    validBefore: validBefore === 2n ** 256n - 1n ? 2n ** 256n : validBefore,
    nonce: permit2Nonce(before, null, from, random),
    permit: null,
    upto: { maximum, facilitator: random.pick(sendersOf(merchant.prefix === 'sandbox' ? 'sandbox' : 'production')) },
  } as const
  const { key } = walletAt(flaw === 'forged' ? PAYERS.find(({ address }) => address !== from)?.address : from)
  const asked = { ...drawn.asked, amount: flaw === 'other amount' ? maximum + 1n : value }
  return { ...drawn, asked, authorization, signature: sign(authorization, key) }
}
