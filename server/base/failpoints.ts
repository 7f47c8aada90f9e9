/** The moments at which a test may kill the process. */
export type FailpointName =
  /** A payment was judged, nothing is written. */
  | 'judged'
  | 'claimed'
  | 'signed'
  | 'committed'
  | 'sent'
  | 'mined'
  | 'preconfirmed'
  | 'landed'
  | 'uncharged'
  | 'delivered'
  /** A remote facilitator is about to be called, or has answered. */
  | 'handed over'
  | 'answered'
  /** An effect of the outbox was taken, is about to be written, or was written. */
  | `effect ${'taken' | 'ready' | 'written'}`
  /** A webhook is about to be sent, or was answered and is not recorded yet. */
  | `webhook ${'taken' | 'answered'}`
  /** A stuck transaction has a replacement with higher fees, or a no-op: signed, then committed. */
  | `${'bump' | 'noop'} ${'signed' | 'committed'}`
  | 'funding committed'
  | 'approval sent'

/** Called at each moment. Production passes one that does nothing; only test programs pass another. */
export type Failpoint = (name: FailpointName) => void
