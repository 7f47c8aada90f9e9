/** The moments at which a test may kill the process. */
export type FailpointName =
  | 'claimed'
  | 'signed'
  | 'committed'
  | 'sent'
  | 'mined'
  | 'landed'
  | 'delivered'
  | 'handed over'
  | 'answered'

/** Called at each moment. Production passes one that does nothing; only test programs pass another. */
export type Failpoint = (name: FailpointName) => void
