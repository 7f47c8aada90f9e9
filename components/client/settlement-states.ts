const STATES: Record<string, string> = {
  CLAIMED: 'Verified and claimed',
  PREPARED: 'Signed and saved',
  BROADCAST: 'Sent to the network',
  PRECONFIRMED: 'Preconfirmed',
  INCLUDED: 'Included in a block',
  FINAL: 'Final',
  REJECTED: 'Rejected before signing',
  REVERTED: 'Reverted on-chain',
  USED_ELSEWHERE: 'Used by another transaction',
  EXPIRED: 'Expired unused',
  UNPAID: 'Not paid: mined without it',
  UNCHARGED: 'Nothing charged',
  REVERSED: 'Reversed by a reorganization',
  // Outcomes of payments without recorded steps.
  RECEIVED: 'Received',
  SETTLED: 'Settled',
  REFUSED: 'Refused, nothing was sent',
  FAILED: 'Failed',
}

const SETTLED: ReadonlySet<string> = new Set(['PRECONFIRMED', 'INCLUDED', 'FINAL', 'SETTLED', 'UNCHARGED'])

const FAILED: ReadonlySet<string> = new Set([
  'REJECTED',
  'REVERTED',
  'USED_ELSEWHERE',
  'EXPIRED',
  'UNPAID',
  'REVERSED',
  'REFUSED',
  'FAILED',
])

const OPEN: ReadonlySet<string> = new Set(['CLAIMED', 'PREPARED', 'BROADCAST', 'PRECONFIRMED', 'INCLUDED'])

/** The title of a settlement's state. */
export function stateTitle(state: string): string {
  return STATES[state] ?? state.toLowerCase()
}

/** Whether a settlement may still change its state. */
export function mayChange(state: string | null): boolean {
  return state !== null && OPEN.has(state)
}

/** Whether the payer has paid in a state. */
export function hasSettled(state: string): boolean {
  return SETTLED.has(state)
}

/** Whether a state ends a settlement without a payment. */
export function hasFailed(state: string): boolean {
  return FAILED.has(state)
}
