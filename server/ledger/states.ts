/** The states of a settlement and the moves between them; the table `Move` in the database holds the same. */
export const moves = {
  CLAIMED: ['PREPARED', 'REJECTED', 'EXPIRED', 'USED_ELSEWHERE', 'UNPAID', 'REVERSED', 'UNCHARGED'],
  PREPARED: ['BROADCAST', 'PRECONFIRMED', 'INCLUDED', 'CLAIMED', 'REVERTED', 'USED_ELSEWHERE', 'EXPIRED', 'UNPAID', 'REVERSED'],
  BROADCAST: ['PRECONFIRMED', 'INCLUDED', 'CLAIMED', 'REVERTED', 'USED_ELSEWHERE', 'EXPIRED', 'UNPAID', 'REVERSED'],
  PRECONFIRMED: ['INCLUDED', 'BROADCAST', 'REVERSED'],
  INCLUDED: ['FINAL', 'BROADCAST', 'REVERSED'],
  FINAL: ['INCLUDED'],
  REJECTED: [],
  REVERTED: [],
  USED_ELSEWHERE: [],
  EXPIRED: [],
  UNPAID: [],
  UNCHARGED: [],
  REVERSED: [],
} as const satisfies Record<string, readonly string[]>

export type State = keyof typeof moves

/** Signed and possibly sent: the chain decides the outcome. */
export const openStates = ['PREPARED', 'BROADCAST'] as const satisfies State[]

/** States in which the transfer is on the canonical chain as far as we know. */
export const landedStates = ['PRECONFIRMED', 'INCLUDED', 'FINAL'] as const satisfies State[]

/** Terminal states of a transfer that will not land. */
export const failedStates = ['REVERTED', 'USED_ELSEWHERE', 'EXPIRED', 'UNPAID', 'REVERSED'] as const satisfies State[]

export type FailedState = (typeof failedStates)[number]

/** Whether a state is one of a group, narrowing its type. */
export function isIn<G extends State>(group: readonly G[], state: State): state is G {
  return group.some((member) => member === state)
}

/** The events about a settlement. */
export const paymentEvents = ['payment.settled', 'payment.finalized', 'payment.failed', 'payment.reversed'] as const
export type PaymentEvent = (typeof paymentEvents)[number]
